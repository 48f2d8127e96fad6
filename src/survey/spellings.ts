import { wordsOf } from "../lib/words.ts";

/** What code writes short and people write out, or the other way round. */
const spellings = `
  admin administrator, app application, arg argument, async asynchronous, attr attribute,
  auth authentication authorization, bool boolean, char character, cmd command, cfg conf config configuration,
  conn connection, ctx context, db database, decl declaration, def definition, dep dependency,
  desc description, dest destination, dev development, dict dictionary, dir directory folder,
  doc document documentation, elem element, env environment, err error, exec execute, expr expression,
  ext extension, fmt format, func function, gen generate, id identifier, idx index, impl implementation,
  info information, init initialize initialise, int integer, iter iterator, len length, lib library,
  loc location, max maximum, min minimum, mod module, msg message, num number, obj object,
  op operation operator, opt option, org organization, param parameter, perf performance, pkg package,
  pos position, pref preference, prev previous, proc process, prop property, ptr pointer, recv receive,
  ref reference, regex regexp, repo repository, req request, res response, spec specification,
  src source, stat statistic, stmt statement, str string, sync synchronize, sys system,
  temp tmp temporary, tz timezone, usr user, util utility, val value, var variable, vec vector,
  ver version, win windows, colour color, behaviour behavior, normalise normalize, serialise serialize
`;

const groups = new Map<string, readonly string[]>();
for (const group of spellings.split(",")) {
  // Stems, as queries have them; a word that queries pass over stays as it is.
  const stems = group
    .trim()
    .split(/\s+/)
    .map((word) => wordsOf(word)[0] ?? word);
  for (const stem of stems) groups.set(stem, stems);
}

/** Other spellings of a word, as stems: `config` for `configuration`. */
export function otherSpellings(stem: string): readonly string[] {
  return (groups.get(stem) ?? []).filter((each) => each !== stem);
}
