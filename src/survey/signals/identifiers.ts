import { wordsOf } from "../../lib/words.ts";
import { type Corpus, noScores, raiseTo, type Scores } from "./corpus.ts";

/** Words before a name where most languages define one. */
export const definitionWords =
  "function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|const|let|var|val|static|public|private|protected|module|object|record|macro|namespace";

/** Files that are read for one name; more hold it in common words. */
const maxRead = 60;

/** Identifiers that the task writes as code: 1 where one is defined, a part where it is used. */
export function identifierScores(corpus: Corpus): Scores {
  const { query, contents, files } = corpus;
  const scores = noScores(corpus);
  for (const name of query.identifiers) {
    const hits = wordsOf(name).map((word) => contents.hits.get(word) ?? new Map<number, never>());
    const [first, ...others] = hits.sort((a, b) => a.size - b.size);
    if (first === undefined) continue;
    const holding = [...first.keys()].filter((file) => others.every((each) => each.has(file)));
    if (holding.length > 5 * maxRead) continue;
    const escaped = name.replaceAll("$", "\\$");
    const defined = new RegExp(
      `(?:^|[^\\w$])(?:${definitionWords})[*\\s]+(?:\\([^()\\n]{0,80}\\)\\s*)?${escaped}(?![\\w$])|^\\s{0,40}(?:async )?${escaped}\\([^()\\n]{0,200}\\)\\s*\\{`,
      "m",
    );
    for (const file of holding.slice(0, maxRead)) {
      const path = files.paths[file];
      const text = path === undefined ? "" : (corpus.text(path)?.text ?? "");
      if (text.includes(name)) raiseTo(scores, file, defined.test(text) ? 1 : 0.3);
    }
  }
  return scores;
}
