import { redact } from "./redaction.ts";

type Path = readonly (string | number)[];

/** Key names that hold a credential, compared without case and punctuation. */
const credentialKey =
  /(?:apikey|accesskey|privatekey|secretkey|token|secret|password|passwd|passphrase|authorization|credentials?|bearer|cookie)$|^(?:key|auth|headers?)$/;

/** `api_key_env` names a variable; where its value is no such name, somebody put the key there. */
const variableKey = /(?:key|token|secret|password)_?env$/i;
const variableName = /^(?![A-F0-9]{20,}$)[A-Za-z_](?:[A-Z0-9_]{0,99}|[a-z_]{0,40})$/;

/** Whether a key's name says that its value is a credential: `apiKey`, `api_key`, `headers`, … */
export function isCredentialKey(key: string): boolean {
  return credentialKey.test(key.toLowerCase().replaceAll(/[^a-z]/g, ""));
}

/**
 * Paths of everything in a document that is a credential, by the key's name or by the value's
 * shape; nothing below a found path is listed again. `isName` says which keys are names that a
 * person chose: their sound proves nothing.
 */
export function credentialPaths(
  root: unknown,
  isName: (path: Path) => boolean = () => false,
): readonly Path[] {
  const found: Path[] = [];
  const visited = new Set<unknown>();
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === "string") {
      if (redact(value) !== value) found.push(path);
      return;
    }
    // Aliases of YAML make one object stand in many places; once is enough.
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, Array.isArray(value) ? Number(key) : key];
      const empty = inner === null || inner === "" || typeof inner === "boolean";
      const misplaced =
        typeof inner === "string" && variableKey.test(key) && !variableName.test(inner);
      if (!empty && !Array.isArray(value) && (isCredentialKey(key) || misplaced) && !isName(here))
        found.push(here);
      else visit(inner, here);
    }
  };
  visit(root, []);
  return found;
}
