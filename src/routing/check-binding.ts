import { isAbsolute } from "node:path";
import type { Binding, Problem } from "../contracts/index.ts";
import { isOwnNetwork } from "../lib/hosts.ts";

/** Something wrong with one binding, at one of its keys. */
interface BindingFault {
  readonly key: string;
  readonly severity: Problem["severity"];
  readonly message: string;
}

/** Keys that only some adapters read, as files write them. */
const readBy: readonly {
  readonly key: string;
  readonly property: keyof Binding;
  readonly adapters: readonly string[];
}[] = [
  { key: "base_url", property: "baseUrl", adapters: ["openai", "claude", "codex"] },
  { key: "api_key_env", property: "apiKeyEnv", adapters: ["openai", "claude", "codex"] },
  { key: "insecure_http", property: "insecureHttp", adapters: ["openai", "claude", "codex"] },
  { key: "command", property: "command", adapters: ["command", "claude", "codex"] },
  {
    key: "pass_environment",
    property: "passEnvironment",
    adapters: ["command", "claude", "codex"],
  },
];

/** What an adapter needs of a binding and does not get, and what it would never read. */
export function checkBinding(binding: Binding): readonly BindingFault[] {
  const { adapter } = binding;
  const faults: BindingFault[] = readBy
    .filter(
      ({ property, adapters }) => binding[property] !== undefined && !adapters.includes(adapter),
    )
    .map(({ key, adapters }) => ({
      key,
      severity: "warning",
      message: `is read by the adapter ${adapters.join(", ")}; this binding's is ${adapter}`,
    }));
  const reads = (key: string): boolean =>
    readBy.some((row) => row.key === key && row.adapters.includes(adapter));
  if (adapter === "openai" || (reads("base_url") && binding.baseUrl !== undefined))
    faults.push(...addressFaults(binding));
  if (adapter === "command" || (reads("command") && binding.command !== undefined))
    faults.push(...commandFaults(binding.command));
  return faults;
}

function addressFaults({ baseUrl, insecureHttp }: Binding): readonly BindingFault[] {
  const fault = (message: string): BindingFault[] => [
    { key: "base_url", severity: "error", message },
  ];
  if (baseUrl === undefined)
    return fault("the adapter openai needs a base_url, as http://127.0.0.1:11434/v1");
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || insecureHttp === true || isOwnNetwork(hostname)) return [];
  return fault(
    "prompts would travel unencrypted beyond your own network: use https, or say insecure_http: true",
  );
}

function commandFaults(command: readonly string[] | undefined): readonly BindingFault[] {
  const fault = (message: string): BindingFault[] => [
    { key: "command", severity: "error", message },
  ];
  const [program] = command ?? [];
  if (program === undefined || program.trim() === "")
    return fault("the adapter command needs a command: [PROGRAM, ARGUMENT, …]");
  if (isAbsolute(program) || program.startsWith("~/") || !/[/\\]/.test(program)) return [];
  return fault("the program must be an absolute path or the name of a program on PATH");
}
