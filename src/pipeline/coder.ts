import type { Candidate, ContextPack, Failure, RepoPath } from "../contracts/index.ts";
import { parseRepoPath } from "../contracts/index.ts";
import {
  diffOfPlan,
  diskTree,
  replyInstructions,
  type ReplyScope,
  type WriteScope,
} from "../changes/index.ts";
import {
  addFileToPack,
  addObservedError,
  addPreviousAttempt,
  renderPack,
} from "../context-pack/index.ts";
import { isTestFile, mayCreateTestFile } from "../gate/index.ts";
import { isSecretFile } from "../lib/redaction.ts";
import { countLines, sha256 } from "../lib/text.ts";
import { type PackFilesResult, readPackFiles } from "../survey/index.ts";
import { candidateLabel } from "./calls.ts";
import type { ClimbTools, Player } from "./climb.ts";
import { failureLine } from "./failure-table.ts";
import { bytesAt } from "./plan-parts.ts";
import type { RunRequest } from "./ports.ts";
import {
  coderPrompt,
  type CoderFile,
  systemPromptOf,
  toldAbout,
  toldToWriteWhole,
} from "./prompts.ts";
import { createReadAhead } from "./read-ahead.ts";
import { type Pending, type PlanRead, readPlan } from "./reply-plan.ts";
import type { Reviewer } from "./review.ts";
import { createSeenFiles } from "./seen-files.ts";
import type { Coded, Trials } from "./trial.ts";
import { fitPrompt, promptRoom } from "./window.ts";

/** What all attempts of the coder's step share: the pack grows, and no change is tried twice. */
export interface CoderStep {
  play(candidate: Candidate, attempt: number): Player<Coded>;
  onFailure(
    candidate: Candidate,
    attempt: number,
    failure: Failure,
    isLast: boolean,
  ): Promise<void>;
}

/** Longer files are not asked for whole, whatever went wrong with edits. */
const MOST_WHOLE_LINES = 1_000;

const readOnlyReason = "what judges the change is read-only (--may-edit-tests)";

interface CoderStepOptions {
  readonly request: RunRequest;
  readonly tools: ClimbTools;
  readonly trials: Trials;
  /** Absent: nobody reviews. */
  readonly review?: Reviewer;
  readonly pack: ContextPack;
  /** What the blocks of a reply have to carry. */
  readonly tag: string;
  /** Files git knows, or all files where there is no git: what NEED may ask for. */
  readonly repositoryFiles: ReadonlySet<string>;
  /** Asks the scout again, once; absent where the pack is the user's. */
  readonly lookAgain?: (pack: ContextPack, failure: Failure) => Promise<ContextPack>;
  /** Files that the test commands name: read-only like tests. */
  readonly judge: ReadonlySet<string>;
  /** Folders of hooks, relative to the root. */
  readonly hookFolders: Promise<readonly string[]>;
}

export function createCoderStep(options: CoderStepOptions): CoderStep {
  const { request, tools, trials, review, repositoryFiles, hookFolders, judge, tag } = options;
  const { root } = request.workspace;
  const tree = diskTree(root);
  const seenFiles = createSeenFiles(root, tools.record);
  /** Hash of each plan that was judged, with the attempt it came from. */
  const tried = new Map<string, number>();
  let pack = options.pack;

  const paths = (): Map<RepoPath, "existing" | "new"> => {
    const listed = new Map<RepoPath, "existing" | "new">();
    for (const { path, create } of pack.relevantFiles) {
      const parsed = parseRepoPath(path);
      if (parsed.ok) listed.set(parsed.path, create ? "new" : "existing");
    }
    return listed;
  };

  const named = pathsNamedIn(request.task);

  const isReadOnly = (path: string): boolean =>
    !request.options.mayEditTests &&
    (judge.has(path) || (isTestFile(path) && repositoryFiles.has(path)));

  const replyScope = (): ReplyScope => ({
    paths: paths(),
    root,
    tag,
    isTracked: (path) => repositoryFiles.has(path) && !isSecretFile(path),
    mayCreate: (path) => mayCreateTestFile(path) && !repositoryFiles.has(path),
  });

  const writeScope = async (seen: ReadonlyMap<RepoPath, string>): Promise<WriteScope> => {
    const listed = paths();
    return {
      newPaths: new Set([...listed].filter(([, kind]) => kind === "new").map(([path]) => path)),
      named,
      hookFolders: await hookFolders,
      seen,
      readOnly: (path) => (isReadOnly(path) ? readOnlyReason : undefined),
    };
  };

  async function grow(next: ContextPack): Promise<void> {
    pack = next;
    tools.record.object(renderPack(pack), "context-pack.md");
  }

  function readFiles(): PackFilesResult {
    const existing = pack.relevantFiles.filter(({ create }) => !create).map(({ path }) => path);
    return readPackFiles(root, existing);
  }

  async function lookAtFiles(): Promise<PackFilesResult> {
    await seenFiles.see(pack.relevantFiles.map(({ path }) => path));
    return readFiles();
  }

  function play(candidate: Candidate, attempt: number): Player<Coded> {
    const { wholeFileLines = request.options.wholeFileLines } = candidate.binding;
    let { editFormat } = candidate.binding;
    /** Hashes of the files as this candidate was shown them. */
    let seen = new Map<RepoPath, string>();
    let editOnly = new Set<RepoPath>();
    let told: string | undefined;
    let pending: Pending | undefined;
    let lastDiff: string | undefined;
    let saidCuts = "";
    const systemPrompt = systemPromptOf(request.agents.coder, request.options.language);

    async function sayCuts(cuts: readonly string[]): Promise<void> {
      const message = `For the window of ${candidateLabel(candidate)}: ${cuts.join("; ")}`;
      if (cuts.length === 0 || message === saidCuts) return;
      saidCuts = message;
      await tools.record.emit({ type: "note", level: "warning", message });
    }

    async function plan(reply: string): Promise<PlanRead> {
      return readPlan(reply, pending, {
        tree,
        replyScope: replyScope(),
        writeScope: await writeScope(seen),
        see: seenFiles.see,
        objections: {
          tried,
          editOnly,
          judge,
          files: repositoryFiles,
          mayEditTests: request.options.mayEditTests,
          read: (path) => bytesAt(tree, path),
        },
      });
    }

    const plans = createReadAhead((reply: string) => {
      const reading = plan(reply);
      reading.catch(() => undefined);
      return reading;
    });

    return {
      systemPrompt,
      about: () => sha256(JSON.stringify([...seen])),
      readAhead: plans.prepare,
      async prompt(maxTokens = Number.POSITIVE_INFINITY) {
        const left = trials.leave();
        const { files, refused } = await lookAtFiles();
        seen = new Map(files.map((file) => [file.path, file.hash]));
        editOnly = new Set(files.filter((file) => file.editOnly).map(({ path }) => path));
        const shown: CoderFile[] = [
          ...files.map((file) => ({
            path: file.path,
            content: file.text,
            ...noteOn(file, isReadOnly(file.path)),
          })),
          ...pack.relevantFiles.filter(({ create }) => create).map(({ path }) => ({ path })),
        ];
        const instructions = replyInstructions({
          tag,
          format: editFormat,
          wholeFileLines,
          files: shown
            .filter(({ path }) => !isReadOnly(path))
            .map(({ path, content }) => ({
              path,
              lines: countLines(content ?? ""),
              create: content === undefined,
            })),
        });
        const room = Math.min(promptRoom(candidate, systemPrompt), maxTokens);
        const fitted = fitPrompt(pack, room, (part) =>
          coderPrompt({
            instructions,
            files: shown,
            notShown: refused,
            pack: renderPack(part),
            ...(told !== undefined && { told }),
          }),
        );
        await sayCuts(fitted.cuts);
        await left;
        return fitted.prompt;
      },
      async judge(reply) {
        const [untouched, planned] = await Promise.all([trials.untouched(), plans.take(reply)]);
        if (!planned.ok) {
          pending = planned.pending ?? pending;
          return planned;
        }
        pending = undefined;
        const { plan: value, before } = planned.value;
        tried.set(value.hash, attempt);
        const { text, changes } = diffOfPlan(value, before);
        lastDiff = text;
        const diff = tools.record.object(text, `attempts/coder-${attempt}/diff.patch`);
        await tools.record.emit({
          type: "plan_ready",
          attempt,
          changes,
          diff,
          planHash: value.hash,
        });
        const judged = await trials.judge(value, attempt, untouched);
        if (!judged.ok || review === undefined) return judged;
        const { verdict } = judged.value;
        const change = { attempt, author: candidate, pack, plan: value, diff: text, verdict };
        const objection = await review(change);
        return objection === undefined
          ? judged
          : { ok: false, failure: await trials.refuse(objection) };
      },
      async tell(failure) {
        if (failure.kind === "needs_file") {
          await grow(
            failure.paths.reduce(
              (grown, path) => addFileToPack(grown, path, "asked for by the coder"),
              pack,
            ),
          );
        }
        if (failure.kind !== "apply" && failure.kind !== "format") pending = undefined;
        told = toldAbout(failure, lastDiff);
      },
      askWhole(failure) {
        const lines = readFiles()
          .files.filter(({ path, editOnly: masked }) => !masked && !isReadOnly(path))
          .map(({ text }) => countLines(text));
        const isEdited = (count: number): boolean =>
          editFormat === "edit" || (editFormat === "auto" && count > wholeFileLines);
        if (!lines.some(isEdited) || Math.max(...lines) > MOST_WHOLE_LINES) return false;
        editFormat = "whole";
        pending = undefined;
        told = toldToWriteWhole(failure);
        return true;
      },
    };
  }

  return {
    play,
    async onFailure(candidate, attempt, failure, isLast) {
      const summary = `${request.agents.coder.name} on ${candidateLabel(candidate)}, attempt ${attempt}`;
      const grown = addPreviousAttempt(pack, { summary, outcome: failureLine(failure) });
      await grow(failure.kind === "tests_failed" ? addObservedError(grown, failure.digest) : grown);
      if (failure.kind === "no_changes" && !isLast && options.lookAgain !== undefined)
        await grow(await options.lookAgain(pack, failure));
    },
  };
}

/**
 * Words of the task that could be paths: who asks for `.github/workflows/ci.yml` by name may have
 * it changed. Never taken from a pack or a reply: those are a model's words.
 */
function pathsNamedIn(task: string): ReadonlySet<string> {
  return new Set(task.split(/[\s`'"()<>,;]+/).map((word) => word.replace(/[.:!?]+$/, "")));
}

function noteOn(file: PackFilesResult["files"][number], isReadOnly: boolean): { note?: string } {
  const notes = [
    ...(isReadOnly ? ["read-only: it judges the change"] : []),
    ...(file.editOnly
      ? ["values that look like credentials are masked: EDIT other lines only"]
      : []),
    ...(file.text !== "" && !file.text.endsWith("\n") ? ["no line break at its end"] : []),
  ];
  return notes.length > 0 ? { note: notes.join("; ") } : {};
}
