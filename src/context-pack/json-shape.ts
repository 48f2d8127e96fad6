/** A discovery as JSON has it. */
interface DiscoveryJson {
  status: "found" | "partial" | "none";
  note?: string | undefined;
}

interface SnippetJson {
  path: string;
  lines?: string | undefined;
  language?: string | undefined;
  content: string;
}

interface AttemptJson {
  summary: string;
  outcome?: string | undefined;
}

/** What both versions write alike. Optional fields that are empty equal absence. */
interface SharedJson {
  task: string;
  goal: string;
  discovery?: DiscoveryJson | undefined;
  relevant_snippets?: SnippetJson[] | undefined;
  repo_rules?: string[] | undefined;
  observed_errors?: string[] | undefined;
  test_commands?: string[] | undefined;
  previous_attempts?: AttemptJson[] | undefined;
  expected_output: string;
  capability?: string | undefined;
  produced_by?: string | undefined;
}

interface FileJson {
  path: string;
  reason?: string | undefined;
  create?: boolean | undefined;
}

/** The JSON form of version 1. `lines` is `"start-end"`, from 1. */
export interface Version1Json extends SharedJson {
  constraints: string[];
  relevant_files: (FileJson & { lines?: string | undefined })[];
  budget?: { max_tokens?: number | undefined } | undefined;
  version?: 1 | undefined;
}

/** The JSON form of version 2. */
export interface Version2Json extends SharedJson {
  constraints: (string | { kind: "must" | "must_not" | "blocked_by"; text: string })[];
  relevant_files: (FileJson & { lines?: string | string[] | undefined })[];
  scope?: string[] | undefined;
  decisions?: { choice: string; because: string; source?: string | undefined }[] | undefined;
  success_criteria?: { text: string; check?: string | undefined }[] | undefined;
  files_touched?: { path: string; note: string }[] | undefined;
  progress?: string[] | undefined;
  parent?: string | undefined;
  context_items?:
    | { id: string; kind: string; authority: string; summary: string; source: string }[]
    | undefined;
  completeness?: "full" | "partial" | "minimal" | undefined;
  warnings?: string[] | undefined;
  token_estimate?: number | undefined;
  budget?:
    | {
        profile?: "simple" | "complex" | "handoff" | "coder" | undefined;
        max_tokens?: number | undefined;
      }
    | undefined;
  version: 2;
}
