import type { RankedFile } from "../contracts/index.ts";
import type { FileNumber, FileTable } from "./file-table.ts";
import type { Scores } from "./signals/corpus.ts";
import { kindOf } from "./signals/kinds.ts";

/** What a reason is called, and what it counts. */
export interface Reason {
  readonly name: string;
  readonly weight: number;
  /** The task speaks, not the failing output or the repository. */
  readonly ofTask?: true;
  /** Pointed to, not guessed: what kind of file it is does not matter. */
  readonly isCertain?: true;
}

/** Adds up what each reason says of each file. Holds at most 32 reasons. */
export class Tally {
  readonly #files: FileTable;
  readonly #sums: Float64Array;
  /** A bit for each reason that spoke for a file. */
  readonly #spoke: Uint32Array;
  readonly #reasons: Reason[] = [];
  /** What kind of file it is; 0 where it was not looked at. */
  readonly #worth: Float64Array;

  constructor(files: FileTable) {
    this.#files = files;
    this.#sums = new Float64Array(files.size);
    this.#spoke = new Uint32Array(files.size);
    this.#worth = new Float64Array(files.size);
  }

  add(reason: Reason, scores: Scores): void {
    const bit = 1 << this.#reasons.length;
    this.#reasons.push(reason);
    for (let file = 0; file < scores.length; file += 1) {
      const value = scores[file] ?? 0;
      if (value <= 0) continue;
      const worth = reason.isCertain === true ? 1 : this.#worthOf(file);
      this.#sums[file] = (this.#sums[file] ?? 0) + value * worth * reason.weight;
      this.#spoke[file] = (this.#spoke[file] ?? 0) | bit;
    }
  }

  /** In thousandths: what differs by less is equal. */
  scoreOf(file: FileNumber): number {
    return Math.round((this.#sums[file] ?? 0) * 1000) / 1000;
  }

  /** The files of the highest scores, equal ones by path; those of no score are not among them. */
  best(max: number): readonly FileNumber[] {
    const best: { readonly file: FileNumber; readonly score: number }[] = [];
    let least = 0;
    for (let file = 0; file < this.#sums.length; file += 1) {
      if ((this.#spoke[file] ?? 0) === 0 || (this.#sums[file] ?? 0) < least - 0.001) continue;
      const score = this.scoreOf(file);
      let at = best.length;
      while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
      if (at >= max) continue;
      best.splice(at, 0, { file, score });
      if (best.length > max) best.pop();
      if (best.length === max) least = best.at(-1)?.score ?? 0;
    }
    return best.map(({ file }) => file);
  }

  ranked(file: FileNumber): readonly RankedFile[] {
    const path = this.#files.paths[file];
    if (path === undefined) return [];
    const spoke = this.#spoke[file] ?? 0;
    const reasons = this.#reasons.filter((_, index) => (spoke & (1 << index)) !== 0);
    const forTask = reasons.some(({ ofTask }) => ofTask === true);
    const why = reasons.map(({ name }) => name);
    return [{ path, score: this.scoreOf(file), why, ...(forTask && { forTask: true as const }) }];
  }

  #worthOf(file: FileNumber): number {
    const known = this.#worth[file] ?? 0;
    if (known > 0) return known;
    const { factor } = kindOf(this.#files.paths[file] ?? "");
    this.#worth[file] = factor;
    return factor;
  }
}
