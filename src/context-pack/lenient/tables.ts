import type { Item } from "../markdown/dialect.ts";
import type { Line } from "../markdown/lines.ts";
import { isPlaceholder } from "./placeholders.ts";
import type { SectionName } from "../sections.ts";

/** What the first column of a head row is called, in the languages that were seen. */
const HEADS = new Set(
  "# no nr id path paths file files filename name constraint constraints rule rules command commands test error errors attempt attempts summary item datei pfad 文件 路径 ファイル パス 约束 命令".split(
    " ",
  ),
);

export function isTableRow(text: string): boolean {
  const row = text.trim();
  return row.startsWith("|") && row.length > 1;
}

/** The item that a row states; nothing for the head and the line under it. */
export function tableItem(
  rows: readonly Line[],
  index: number,
  section: SectionName,
): Item | undefined {
  const row = rows[index];
  if (!row) return undefined;
  const cells = cellsOf(row.text).map((cell) => (isPlaceholder(cell) ? "" : cell));
  const filled = cells.filter((cell) => cell !== "");
  if (filled.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  if (index === 0 && HEADS.has(plain(cells[0] ?? ""))) return undefined;
  const own = /^\d+[.)]?$/.test(cells[0] ?? "") ? cells.slice(1) : cells;
  const text = section === "relevant_files" ? fileText(own) : own.filter(Boolean).join(" — ");
  return { text, line: row.number };
}

function plain(cell: string): string {
  return cell.replaceAll(/[*_`]/g, "").trim().toLowerCase();
}

/** Cells between unescaped `|` outside code spans. */
function cellsOf(row: string): string[] {
  const inner = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  const cells: string[] = [""];
  let isCode = false;
  for (let i = 0; i < inner.length; i++) {
    const sign = inner[i] ?? "";
    if (sign === "`") isCode = !isCode;
    if (sign === "\\" && inner[i + 1] === "|") cells.push(`${cells.pop() ?? ""}${inner[++i]}`);
    else if (sign === "|" && !isCode) cells.push("");
    else cells.push(`${cells.pop() ?? ""}${sign}`);
  }
  return cells.map((cell) => cell.trim());
}

/** `path`, a range and a reason in any order, as the item a list would have. */
function fileText([path = "", ...rest]: readonly string[]): string {
  const isRange = (cell: string): boolean =>
    /^\(?(?:lines?\s*)?L?\d+(?:\s*[-–—]\s*L?\d+)?\)?$/i.test(cell);
  const ranges = rest.filter(isRange).map((cell) => ` (lines ${cell.replaceAll(/[^\d–—-]/g, "")})`);
  const reason = rest.filter((cell) => cell !== "" && !isRange(cell)).join(" — ");
  return `${path}${ranges.join("")}${reason === "" ? "" : ` — ${reason}`}`;
}
