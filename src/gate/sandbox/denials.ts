import type { CommandResult } from "../../contracts/index.ts";

/**
 * What a program prints when the sandbox refused it something, and what allows it. Whole
 * messages, no bare codes: a test may well print those of a refusal that it expects.
 */
interface Denial {
  /** Real output, kept so that the row can be checked. */
  readonly evidence: string;
  readonly pattern: RegExp;
  readonly cause: string;
  readonly mend: string;
  /** Only where the sandbox closes the network. */
  readonly isNetwork?: true;
  /** The code under test prints this for reasons of its own, too: no proof that it is the sandbox. */
  readonly isOpen?: true;
}

const allowNetwork = "Allow it in kit.yaml (gate.network: true), or for once: --sandbox off";

export const denials: readonly Denial[] = [
  {
    evidence: "touch: cannot touch '/root/x': Read-only file system",
    pattern: /Read-only file system|EROFS: read-only file system/i,
    cause: "the sandbox lets tests write in the repository and temporary folders alone",
    mend: "Name the folder in kit.yaml (gate.writable: [~/.gradle]), or for once: --sandbox off",
  },
  {
    evidence: "connect ENETUNREACH 93.184.215.14:443 - Local (0.0.0.0:0)",
    pattern: /connect ENETUNREACH|Network is unreachable/i,
    cause: "the sandbox closes the network",
    mend: allowNetwork,
    isNetwork: true,
  },
  {
    evidence: "getaddrinfo EAI_AGAIN packages.example.org",
    pattern: /getaddrinfo EAI_AGAIN|Temporary failure in name resolution|Could not resolve host/i,
    cause: "the sandbox closes the network",
    mend: allowNetwork,
    isNetwork: true,
  },
  {
    evidence: "Error: connect ECONNREFUSED 127.0.0.1:5432",
    pattern: /ECONNREFUSED (?:127\.|::1)|connection refused/i,
    cause: "the sandbox hides servers of this machine (databases) from the tests",
    mend: allowNetwork,
    isNetwork: true,
    isOpen: true,
  },
  {
    evidence:
      "Failed to move to new namespace: PID namespaces supported, Network namespace supported",
    pattern: /Failed to move to new namespace|No usable sandbox!/,
    cause: "a browser cannot open its own sandbox inside kit's",
    mend: "Start it with --no-sandbox in the tests, or run them with --sandbox off",
    isOpen: true,
  },
];

/** The first row that a red result's output matches; `undefined` where it ran unconfined. */
export function denialOf({ sandbox, output }: CommandResult): Denial | undefined {
  if (sandbox === undefined) return undefined;
  return denials.find(
    ({ pattern, isNetwork }) => !(isNetwork === true && sandbox.network) && pattern.test(output),
  );
}

/** For people, of a red tree: what the sandbox may have to do with it, and what allows it. */
export function sandboxHints(results: readonly CommandResult[]): readonly string[] {
  const found = results
    .filter(({ ended }) => !(ended.by === "exit" && ended.code === 0))
    .flatMap((result) => denialOf(result) ?? []);
  return [...new Set(found)].map(
    ({ cause, mend }) => `Perhaps red by the sandbox: ${cause}. ${mend}`,
  );
}
