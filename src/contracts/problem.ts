/** Where a text stands in a file: `line` and `column` count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Something wrong in a file that a person wrote, said so that the person can mend it. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly place: Place;
  /** Dotted key where there is one: `backends.cheap.apiKey`. */
  readonly key?: string;
  /** The offending value as written, shortened. Never a credential. */
  readonly value?: string;
  /** What is wrong and what is allowed, one sentence. */
  readonly message: string;
}

/** The layer a configuration value came from; later ones win. */
export type Layer = "shipped" | "user" | "project" | "flags";

/** A configuration value with its origin. */
export interface Sourced<T> {
  readonly value: T;
  readonly layer: Layer;
  readonly file?: string;
  readonly line?: number;
}

/** A file as it was read once: its bytes, or why there are none. */
export type FileContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Where the files of one layer are: the package root (shipped), kit's user folder, or the
 * repository's `.kit` (project). The project layer is read and checked, never used without trust.
 */
export interface LayerFolder {
  readonly layer: Exclude<Layer, "flags">;
  /** Absolute; need not exist. */
  readonly folder: string;
  /**
   * The files as they were read, by their path below `folder`; absent: they are read from disk.
   * The project layer has them: what was hashed for trust is what is used.
   */
  readonly files?: ReadonlyMap<string, FileContent>;
  /** The user trusts `files` of this project layer. */
  readonly trusted?: true;
}

/** Whether anything in a layer takes part: a project layer does once it is trusted. */
export function isUsedLayer({ layer, files, trusted }: LayerFolder): boolean {
  return layer !== "project" || (trusted === true && files !== undefined);
}

/** A configuration file that was found, and whether anything in it takes part. */
export interface ConfigSource {
  readonly kind: "registry" | "bindings" | "agent" | "settings" | "classify";
  readonly layer: Layer;
  readonly file: string;
  readonly used: boolean;
}

/** What kind of wrong ended a command; the CLI turns it into an exit code. */
export type KitErrorKind =
  | "usage"
  | "configuration"
  | "environment"
  | "conflict"
  | "not_found"
  | "no_model";

/** What a `KitError` says beside its message. */
export interface KitErrorOptions extends ErrorOptions {
  /** The step that mends it: a command or an edit, one sentence. */
  readonly next?: string;
  readonly problems?: readonly Problem[];
}

/** A usage, configuration or environment error that ends a command. */
export class KitError extends Error {
  override readonly name = "KitError";
  readonly kind: KitErrorKind;
  readonly next: string | undefined;
  readonly problems: readonly Problem[];

  constructor(kind: KitErrorKind, message: string, options: KitErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.next = options.next;
    this.problems = options.problems ?? [];
  }
}
