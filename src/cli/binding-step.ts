import type { Registry } from "../contracts/index.ts";

/**
 * What leads to a model where none is bound: `kit init`, which refuses beside a file with an
 * error, so that the file comes first.
 *
 * @param usual the step where no file has an error: `Bind one: kit init`
 */
export function bindingStep({ problems }: Registry, usual: string): string {
  const broken = problems.find(({ severity }) => severity === "error");
  if (broken === undefined) return usual;
  const { file, line } = broken.place;
  return `Mend ${file}${line === undefined ? "" : `:${line}`}`;
}
