/** One fault that a reviewer names. */
export interface Finding {
  /** Severe ones block the change; they name a file of it and a line. */
  readonly severity: "severe" | "minor";
  readonly file?: string;
  /** From 1, in the changed file. */
  readonly line?: number;
  readonly text: string;
}

/** What one reviewer said of one change. */
export interface Review {
  readonly blocks: boolean;
  /** Severe ones first. */
  readonly findings: readonly Finding[];
}

/** `src/a.ts:12: what goes wrong there`, on one line. */
export function findingLine({ file, line, text }: Finding): string {
  const place = [file, line].filter((part) => part !== undefined).join(":");
  return place === "" ? text : `${place}: ${text}`;
}
