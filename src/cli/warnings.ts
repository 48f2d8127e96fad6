/**
 * Keeps one warning of Node 22 from users: that `node:sqlite`, which holds kit's locks, is
 * experimental there. Every other warning is printed as ever.
 */
export function muteSqliteWarning(): void {
  const printers = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite")) return;
    for (const print of printers) print.call(process, warning);
  });
}
