import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleOutput, openBundle } from "../bundle.ts";

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** The licences of every package that has a module in the bundle, which carries them. */
export async function thirdPartyNotices(): Promise<string> {
  const packages = (await bundledFolders()).map(readPackage);
  const listed = packages.map(({ name, version, license }) => `- ${name} ${version} (${license})`);
  const texts = packages.map(
    ({ name, version, text }) => `## ${name} ${version}\n\n\`\`\`text\n${text}\n\`\`\``,
  );
  return `# Third-party notices

The files in \`dist\` carry parts of these packages. Written by \`npm run generate\`.

${listed.join("\n")}

${texts.join("\n\n")}
`;
}

async function bundledFolders(): Promise<string[]> {
  const bundle = await openBundle();
  const { output } = await bundle.generate(bundleOutput);
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const folders = modules.filter((id) => id.includes("/node_modules/")).map(packageFolder);
  return [...new Set(folders)].toSorted();
}

/** The nearest folder above with a manifest that names a package: some have nameless ones inside. */
function packageFolder(file: string): string {
  const folder = dirname(file);
  const manifest = join(folder, "package.json");
  if (existsSync(manifest) && "name" in readManifest(folder)) return folder;
  return packageFolder(folder);
}

function readManifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${folder} has no licence file`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return { name: String(name), version: String(version), license: String(license), text };
}
