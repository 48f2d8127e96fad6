import { fault, type ReportedTest, type Reader, reading } from "./reading.ts";

/** `Running tests/it.rs (target/debug/deps/it-1d98c552257fd9c1)`; the crate without its hash. */
const unitLine = /^ +Running (?:unittests )?(\S+) \((?:.*[/\\])?([\w-]+?)-[\da-f]{16}(?:\.exe)?\)$/;

const statusOf: Readonly<Record<string, ReportedTest["status"]>> = {
  ok: "passed",
  FAILED: "failed",
  ignored: "skipped",
};

const maxMessageChars = 4_000;

/**
 * What `cargo test` prints: a block a target, each closed by its counts. They must agree with the
 * lines, which a test may write into. Quiet output (`-q`) names no test.
 */
export const readLibtest: Reader = (text) => {
  const tests: { target: string; name: string; status: ReportedTest["status"]; message: string }[] =
    [];
  let target = "";
  let blockStart = 0;
  let isOpen = false;
  let pending: string | undefined;
  let failing: { message: string } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const unit = unitLine.exec(line);
    const docs = /^ +Doc-tests (\S+)$/.exec(line);
    if (unit !== null) target = `${unit[2]} ${unit[1]}`;
    if (docs !== null) target = `${docs[1]} documentation`;
    if (/^running \d+ tests?$/.test(line)) {
      isOpen = true;
      blockStart = tests.length;
      continue;
    }
    if (!isOpen) continue;
    const closing = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/.exec(line);
    if (closing !== null) {
      const block = tests.slice(blockStart);
      const count = (status: string): number =>
        block.filter((test) => test.status === status).length;
      const isSame =
        count("passed") === Number(closing[1]) &&
        count("failed") === Number(closing[2]) &&
        count("skipped") === Number(closing[3]);
      if (!isSame) return fault("its lines are not as many tests as it counts");
      isOpen = false;
      pending = undefined;
      failing = undefined;
      continue;
    }
    const title = /^---- (.+?) (?:stdout|stderr) ----$/.exec(line);
    if (title !== null) {
      failing = tests.slice(blockStart).find(({ name }) => name === title[1]);
    } else if (failing !== undefined) {
      if (line === "failures:") failing = undefined;
      else if (failing.message.length < maxMessageChars) {
        failing.message += `${line.slice(0, maxMessageChars)}\n`;
      }
    } else {
      const begun = /^test (.+?) \.\.\. (.*)$/.exec(line);
      if (begun !== null) pending = begun[1];
      const said = /^(ok|FAILED|ignored)(?:, .*| <.*>)?$/.exec(begun?.[2] ?? line)?.[1];
      if (pending === undefined || said === undefined) continue;
      tests.push({ target, name: pending, status: statusOf[said] ?? "failed", message: "" });
      pending = undefined;
    }
  }
  if (isOpen) return fault("it ends in the middle");
  return reading(
    tests.map(({ target, name, status, message }) => ({
      // The line of a documentation test moves with every edit above it.
      names: [target, name.replace(/ \(line \d+\)/, "")].filter((each) => each !== ""),
      status,
      message: status === "failed" ? message.trim() : undefined,
    })),
  );
};
