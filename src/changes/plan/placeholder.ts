/** Words that stand for lines a model did not write out, with a line that real replies held. */
const placeholderPhrases: readonly { readonly pattern: RegExp; readonly example: string }[] = [
  {
    pattern:
      /\b(?:rest|remainder) of (?:the |this |your )?(?:\w+ ){0,2}(?:code|file|function|class|method|component|content|contents|implementation|module|script|imports|logic|test|tests|document|section)\b/,
    example: "rest of the code remains the same",
  },
  {
    pattern:
      /\b(?:existing|previous|original|remaining|other|same|current|entire)(?: \w+){0,3}? (?:code|imports|functions|methods|content|contents|implementation|logic|lines|classes|tests|fields|properties|routes|styles)\b/,
    example: "existing code",
  },
  {
    pattern:
      /\b(?:remains?|stays?|kept|left|is|are) (?:the same|unchanged|as is|as before|unmodified)\b/,
    example: "other functions remain unchanged",
  },
  {
    pattern: /^(?:unchanged|omitted|no changes?|same as (?:before|above)|as before)\b/,
    example: "unchanged",
  },
  {
    pattern: /\b(?:omitted|truncated|elided) for (?:brevity|clarity)\b/,
    example: "omitted for brevity",
  },
  {
    pattern: /\b(?:your|more|additional) (?:\w+ )?(?:code|content|logic) (?:goes )?here\b/,
    example: "your code here",
  },
];

const commentOpening = /^(?:\/\/+|#+|\/\*+|\*+|--+|<!--|;+|%+|\{\/\*|"""|'''|REM\b)\s?/i;
const commentClosing = /\s?(?:\*\/\}?|-->|"""|''')$/;
/** Where three dots alone on a line are code or text of their own. */
const dotsAreContent = /\.(?:pyi?|ya?ml|md|mdx|markdown|rst|txt)$/i;

/**
 * Whether a line stands for text that was left out (rule 4): dots in a comment, a comment that
 * says "rest of the code unchanged", or bare dots where the language has no use for them.
 */
export function isPlaceholder(line: string, path: string): boolean {
  if (line.length > 200) return false;
  const text = line.trim();
  const opened = text.replace(commentOpening, "");
  const isComment = opened !== text;
  const words = opened.replace(commentClosing, "").trim();
  const bare = words.replaceAll(/^[\s([{.…]+|[\s)\]}.…:]+$/g, "").toLowerCase();
  const hasDots = /^[([{]?\s?(?:\.{3}|…)|(?:\.{3}|…)[)\]}]?$/.test(words);
  if (bare === "")
    return hasDots && !words.includes("]") && (isComment || !dotsAreContent.test(path));
  if (!isComment && !hasDots && !/^[([]/.test(words)) return false;
  return placeholderPhrases.some(({ pattern }) => pattern.test(bare)) && (hasDots || isNote(bare));
}

/** Without dots only a line that says nothing else is a placeholder, not a sentence that mentions one. */
function isNote(words: string): boolean {
  return words.split(" ").length <= 8;
}
