import type {
  ContextItem,
  Decision,
  Discovery,
  PackAttempt,
  PackFile,
  PackSnippet,
  SuccessCriterion,
} from "../../contracts/index.ts";
import type { PackError, PackNote } from "../pack-error.ts";
import type { SectionName } from "../sections.ts";
import type { Line } from "./lines.ts";

/** The lines between a section's heading and the next one. */
export interface SectionBody {
  readonly name: SectionName;
  /** Line of the heading, from 1. */
  readonly line: number;
  readonly lines: readonly Line[];
}

/** One item of a list, escapes of its lines undone. */
export interface Item {
  readonly text: string;
  readonly line: number;
}

/** What reading found beside the pack. */
export interface Findings {
  readonly errors: PackError[];
  readonly notes: PackNote[];
  /** Field → line, for errors that the validator finds later. */
  readonly places: Map<string, number>;
}

/** How the bodies of sections are read: strictly for files, leniently for replies. */
export interface Dialect {
  /** Where an optional item or word that cannot be understood is told. */
  readonly misreadings: "errors" | "notes";
  text(body: SectionBody): string;
  items(body: SectionBody, findings: Findings): Item[];
  /** The files of one item; a file's item names one. */
  file(item: Item, body: SectionBody, findings: Findings): readonly PackFile[];
  files(body: SectionBody, findings: Findings): Item[];
  snippets(body: SectionBody, findings: Findings): (PackSnippet & { readonly line: number })[];
  errors(body: SectionBody, findings: Findings): Item[];
  commands(body: SectionBody, findings: Findings): Item[];
  attempt(text: string): PackAttempt;
  /** The status as written: the validator judges it. */
  discovery(text: string): (Omit<Discovery, "status"> & { readonly status: string }) | undefined;
  decision(text: string): Decision | undefined;
  criterion(text: string): SuccessCriterion;
  contextItem(text: string): ContextItem | undefined;
}
