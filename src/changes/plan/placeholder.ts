/** Words that stand for lines a model did not write out, with a line of the kind replies hold. */
interface Phrase {
  readonly pattern: RegExp;
  readonly example: string;
  /** Too common in real comments to count without dots before or after it. */
  readonly needsDots?: true;
}

const things =
  "(?:code|file|functions?|methods?|class|classes|component|contents?|implementation|module|script|imports?|logic|tests?|document|section|lines|fields|properties|routes|styles)";
const stays =
  "(?:remains?|stays?|kept|is|are)? ?(?:the same|unchanged|as is|as before|unmodified|omitted|(?:goes )?here)";

const phrases: readonly Phrase[] = [
  {
    pattern: new RegExp(
      `^(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:\\w+ ){0,2}${things}(?: ${stays})?$`,
    ),
    example: "// rest of the code remains the same",
  },
  {
    pattern: new RegExp(`^(?:the )?(?:existing|remaining) (?:\\w+ ){0,2}${things}(?: ${stays})?$`),
    example: "# existing code here",
  },
  {
    pattern: new RegExp(
      `^(?:the )?(?:other|previous|original|same|all other) (?:\\w+ ){0,2}${things} ${stays}$`,
    ),
    example: "// other methods remain unchanged",
  },
  {
    pattern: /^(?:unchanged|no changes?(?: here| needed)?|same as (?:before|above))$/,
    example: "<!-- unchanged -->",
  },
  {
    pattern: /\b(?:omitted|truncated|elided|skipped) for (?:brevity|clarity)\b/,
    example: "// (omitted for brevity)",
  },
  {
    pattern: /^(?:your|more|additional) (?:\w+ )?(?:code|content|logic) (?:goes )?here$/,
    example: "// your code here",
  },
  {
    pattern: /\b(?:rest|remainder) of\b/,
    example: "// ... rest of the handlers",
    needsDots: true,
  },
  {
    pattern: /\b(?:existing|previous|original|remaining|other|same|unchanged|omitted|as before)\b/,
    example: "# ... other imports ...",
    needsDots: true,
  },
  {
    pattern: /\b(?:file|function|class|component) (?:contents?|code|body)\b/,
    example: "// entire file content ...",
    needsDots: true,
  },
];

const commentOpening = /^(?:\/\/+|#+|\/\*+|\*+|--+|<!--|;+|%+|\{\/\*|"""|'''|REM\b)\s?/i;
const commentClosing = /\s?(?:\*\/\}?|-->|"""|''')$/;
/** Files in which three dots alone on a line are code or text. */
const dotsAreContent = /\.(?:pyi?|ya?ml|md|mdx|markdown|rst|txt)$/i;
/** Files whose comments in other languages are samples. */
const isProse = /\.(?:md|mdx|markdown|rst|txt)$/i;

/**
 * Whether a line stands for text that was left out (rule 4): dots in a comment, a comment that
 * says "rest of the code unchanged", or bare dots where the language has no use for them.
 */
export function isPlaceholder(line: string, path: string): boolean {
  if (line.length > 200) return false;
  const text = line.trim();
  const opened = text.replace(commentOpening, "");
  const isComment = opened !== text;
  if (isComment && isProse.test(path) && !text.startsWith("<!--")) return false;
  const words = opened.replace(commentClosing, "").trim();
  const leads = /^[([{<]?\s?(?:\.{3}|…)/.test(words);
  const trails = /(?:\.{3}|…)\s?[)\]}>]?$/.test(words);
  const said = words.replaceAll(/^[\s([{<.…]+|[\s)\]}>.…:]+$/g, "").toLowerCase();
  if (said === "") return leads && (isComment || !dotsAreContent.test(path));
  if (isComment && leads && trails) return true;
  const isBracketed = /^[([].*[)\]]$/.test(words);
  if (!isComment && !leads && !isBracketed) return false;
  return phrases.some(
    ({ pattern, needsDots }) => (needsDots !== true || leads || trails) && pattern.test(said),
  );
}

/** The lines the table was made from, for the test that walks it. */
export const placeholderExamples: readonly string[] = phrases.map((row) => row.example);
