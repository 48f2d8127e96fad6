// Everything a terminal would act on: C0 and C1 controls but the line end, and the marks that
// turn the direction of writing (https://trojansource.codes).
const controls = /[\0-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Text of a model or a repository as it may be shown on a terminal: controls become `�`, tabs blanks. */
export function printable(text: string): string {
  return text.replace(controls, (control) => (control === "\t" ? "  " : "�"));
}

/** A copy of JSON-like data with every text in it printable. */
export function printableDeep<T>(value: T): T {
  return mapTexts(value) as T;
}

function mapTexts(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(mapTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part)]));
}
