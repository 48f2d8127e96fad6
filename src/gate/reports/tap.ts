import { fault, type ReportedTest, type Reader, reading } from "./reading.ts";

/** A test point, with what stands below it. */
interface Point {
  readonly name: string;
  readonly status: ReportedTest["status"];
  children: ReportedTest[];
  message: string;
}

/** Points and plan of one level of subtests. */
interface Level {
  readonly points: Point[];
  planned: number | undefined;
}

const maxMessageChars = 4_000;
const maxDepth = 50;

const pointLine = /^(not )?ok\b(?: +\d+)?(?: +- +| +-(?=\S)| +|$)(.*)$/;

/**
 * TAP 13 and 14: subtests by indentation or in braces, directives, YAML diagnostics, `Bail out!`,
 * plans. Other lines are the output of tests. A point with subtests is their suite: it counts
 * itself only where it failed and none of them did. Several documents after one another add up.
 */
export const readTap: Reader = (text) => {
  let levels: Level[] = [newLevel()];
  let diagnosticsOf: { point: Point; indent: number } | undefined;
  let buffered: Point[] = [];
  for (const line of text.split(/\r?\n/)) {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const content = line.slice(indent);
    if (diagnosticsOf !== undefined) {
      const { point, indent: at } = diagnosticsOf;
      if (content === "..." && indent <= at) diagnosticsOf = undefined;
      else if (point.message.length < maxMessageChars) {
        point.message += `${line.slice(Math.min(indent, at)).slice(0, maxMessageChars)}\n`;
      }
      continue;
    }
    const depth = Math.floor(indent / 4);
    if (depth > maxDepth) continue;
    if (indent % 4 !== 0) {
      const point = levels[depth]?.points.at(-1);
      if (content === "---" && point !== undefined) diagnosticsOf = { point, indent };
      continue;
    }
    if (/^Bail out!/i.test(content))
      return fault(`it bailed out: ${content.slice(9).trim().slice(0, 200)}`);
    if (content === "}" && buffered.length > 0 && levels.length === depth + 2) {
      const wrong = adopt(levels, depth, buffered.pop());
      if (wrong !== undefined) return wrong;
      continue;
    }
    const plan = /^1\.\.(\d{1,9})(?:\s*#.*)?$/.exec(content);
    const found = plan === null ? pointLine.exec(content) : null;
    if (plan === null && found === null) continue;
    // Levels that were left without a point of their own belong to none: output that looks alike.
    while (levels.length <= depth) levels.push(newLevel());
    const level = levels[depth] ?? newLevel();
    if (plan !== null) level.planned = (level.planned ?? 0) + Number(plan[1]);
    if (found === null) continue;
    const opens = /(?:^|\s)\{$/.test(found[2] ?? "");
    const point = pointOf(
      found[1] !== undefined,
      (found[2] ?? "").replace(/\s*\{$/, opens ? "" : "$&"),
    );
    level.points.push(point);
    if (opens) buffered.push(point);
    else {
      const wrong = adopt(levels, depth, point);
      if (wrong !== undefined) return wrong;
    }
  }
  const [top = newLevel()] = levels;
  if (levels.length > 1 || diagnosticsOf !== undefined) return fault("it ends in the middle");
  if (top.planned === undefined) return fault("it has no plan: it ends in the middle");
  if (top.planned !== top.points.length) {
    return fault(`it planned ${top.planned} tests and named ${top.points.length}`);
  }
  return reading(top.points.flatMap(testsOf));
};

function newLevel(): Level {
  return { points: [], planned: undefined };
}

/** Gives the points of the level below to their parent. */
function adopt(
  levels: Level[],
  depth: number,
  parent: Point | undefined,
): ReturnType<Reader> | undefined {
  if (levels.length > depth + 2) return fault("its subtests have no parent");
  const below = levels[depth + 1];
  if (below === undefined || parent === undefined) return undefined;
  levels.length = depth + 1;
  if (below.planned !== undefined && below.planned !== below.points.length) {
    return fault(
      `"${parent.name}" planned ${below.planned} tests and named ${below.points.length}`,
    );
  }
  parent.children = below.points.flatMap(testsOf);
  return undefined;
}

function testsOf(point: Point): readonly ReportedTest[] {
  const { name, status, children } = point;
  const below = children.map((child) => ({ ...child, names: [name, ...child.names] }));
  const isSuite = below.length > 0;
  if (isSuite && (status !== "failed" || below.some((child) => child.status === "failed")))
    return below;
  const message = status === "failed" ? point.message.trim() : undefined;
  return [...below, { names: [name], status, message }];
}

function pointOf(isFailed: boolean, text: string): Point {
  const directive = /(?:^|[^\\])#\s*(?:skip|todo)/i.exec(text);
  const cut = directive === null ? undefined : directive.index + directive[0].indexOf("#");
  const name = text
    .slice(0, cut)
    .replace(/\s#\s*time=[\d.]+m?s\s*$/, "")
    .replaceAll(/\\([#\\])/g, "$1")
    .trim();
  const status = directive !== null ? "skipped" : isFailed ? "failed" : "passed";
  return { name: name === "" ? "(without a name)" : name, status, children: [], message: "" };
}
