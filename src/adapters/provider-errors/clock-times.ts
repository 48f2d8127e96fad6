import type { Now } from "./read.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * `resets 3pm`, `resets Dec 3 at 10am (UTC)`, `try again at Dec 4th, 2026 9:05 AM`, `reset at 3pm
 * (America/New_York)`, `resets tomorrow at 4am`, `until … resets on December 3 at 5:00 PM UTC`.
 */
const clockTime =
  /(?:resets?|try again|available(?: again)?|renews?)(?: at| on)? (?:(?<tomorrow>tomorrow)(?:,? at)? |(?<month>[A-Z][a-z]{2})[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?(?:,? at|,)? )?(?:(?<hour>\d{1,2})(?::(?<minute>\d\d))? ?(?<half>[ap]\.?m\b\.?)|(?<hour24>\d{1,2}):(?<minute24>\d\d))(?: ?\(?(?<zone>[A-Z]\w+(?:\/[\w+-]+)+|[A-Z]{3,4}\b)\)?)?/i;

/** Abbreviations that mean one zone to everybody who prints them; others are not guessed. */
const abbreviations: Readonly<Record<string, string>> = {
  UTC: "UTC",
  GMT: "UTC",
  EST: "America/New_York",
  EDT: "America/New_York",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  CET: "Europe/Berlin",
  CEST: "Europe/Berlin",
  JST: "Asia/Tokyo",
};

/**
 * Milliseconds until the clock time that a message names: the next one where it names no day. A
 * time without a zone is meant in `now.zone`: programs on this machine print its own.
 */
export function clockWait(message: string, now: Now): number | undefined {
  const found = clockTime.exec(message)?.groups;
  if (!found) return undefined;
  const zone = zoneNamed(found.zone) ?? (found.zone === undefined ? now.zone : undefined);
  const today = zone === undefined ? undefined : wallClock(now.at, zone);
  const hour = hourOf(found);
  const month = found.month === undefined ? undefined : months.indexOf(found.month.toLowerCase());
  if (zone === undefined || today === undefined || hour === undefined || month === -1)
    return undefined;
  const minute = Number(found.minute ?? found.minute24 ?? 0);
  const day = found.day === undefined ? today.day : Number(found.day);
  const at = (year: number, addedDays: number): number =>
    instant(Date.UTC(year, month ?? today.month, day + addedDays, hour, minute), zone);
  const year = found.year === undefined ? today.year : Number(found.year);
  if (found.tomorrow !== undefined) return at(year, 1) - now.at;
  const first = at(year, 0) - now.at;
  if (first > 0 || found.year !== undefined) return Math.max(0, first);
  return (month === undefined ? at(year, 1) : at(year + 1, 0)) - now.at;
}

function hourOf({
  hour,
  half,
  hour24,
}: Readonly<Record<string, string | undefined>>): number | undefined {
  if (hour24 !== undefined) return Number(hour24) < 24 ? Number(hour24) : undefined;
  const twelve = Number(hour);
  if (!(twelve >= 1 && twelve <= 12)) return undefined;
  return (twelve % 12) + (/^p/i.test(half ?? "") ? 12 : 0);
}

/** `undefined` for no zone and for a name that nobody knows. */
function zoneNamed(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!name.includes("/")) return abbreviations[name.toUpperCase()];
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

interface WallClock {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  /** The clock's digits read as if they were UTC. */
  readonly asUtc: number;
}

function wallClock(at: number, timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return {
    year,
    month: month - 1,
    day,
    asUtc: Date.UTC(year, month - 1, day, hour, minute, second),
  };
}

/** The moment at which the clocks of a zone show `asUtc`; the offset is looked up on both sides of a change. */
function instant(asUtc: number, zone: string): number {
  const guess = asUtc - (wallClock(asUtc, zone).asUtc - asUtc);
  return asUtc - (wallClock(guess, zone).asUtc - guess);
}
