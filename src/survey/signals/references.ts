/** Another file that a file's text speaks of. */
export type Reference =
  /** A path from the folder of the file itself; endings may be left out. */
  | { readonly beside: string }
  /** The end of a path, as languages write modules: `a/b` for `a.b`; endings may be left out. */
  | { readonly ending: string }
  /** A folder all of whose sources are meant; its path may go on to the left. */
  | { readonly folder: string }
  /** A type; its file has its name, in humps or with underscores. */
  | { readonly type: string };

/** How sources of a language name others. */
interface Language {
  readonly files: RegExp;
  /** What may stand behind a path that was named without it, the likeliest first. */
  readonly endings: readonly string[];
  readonly forms: readonly Form[];
}

interface Form {
  /** One row of a test: the text, and what it refers to. */
  readonly seen: string;
  readonly pattern: RegExp;
  references(match: RegExpExecArray): readonly Reference[];
}

const group = (match: RegExpExecArray, at = 1): string => match[at] ?? "";

const besideOf = (match: RegExpExecArray): readonly Reference[] => [{ beside: group(match) }];
const endingOf = (match: RegExpExecArray): readonly Reference[] => [{ ending: group(match) }];

/** `a.b.C` as a path, and without its last part, which may be something inside of a file. */
function dotted(name: string): readonly Reference[] {
  const parts = name.split(/\.|::|\\/).filter((part) => part !== "" && part !== "*");
  const whole = parts.join("/");
  const above = parts.slice(0, -1).join("/");
  return [{ ending: whole }, ...(parts.length > 2 ? [{ ending: above }] : [])];
}

/** Types that a text speaks of: where a file is a type, no import is needed within a package. */
const typeNames: Form = {
  seen: "new PriceList()",
  pattern: /(?<![\w$])[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(?![\w$])/g,
  references: ([name]) => [{ type: name }],
};

/** The first row whose files match counts; forms are read for all their matches. */
export const languages: readonly Language[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/i,
    endings: [
      "",
      ".ts",
      ".tsx",
      ".js",
      ".jsx",
      ".mjs",
      ".cjs",
      ".mts",
      ".vue",
      ".svelte",
      "/index.ts",
      "/index.tsx",
      "/index.js",
      "/index.mjs",
    ],
    forms: [
      {
        seen: 'import { a } from "./a.js"',
        pattern: /["'](\.{1,2}(?:\/[^"'\n]*)?)["']/g,
        references: besideOf,
      },
      {
        // The usual aliases of a source folder.
        seen: 'import a from "@/lib/a"',
        pattern: /["'](?:@|~|#)\/([^"'\n]+)["']/g,
        references: endingOf,
      },
    ],
  },
  {
    files: /\.pyi?$/,
    endings: [".py", "/__init__.py", ".pyi", ".pyx"],
    forms: [
      {
        seen: "from .a import b, c",
        pattern: /^[ \t]*from[ \t]+(\.+)([\w.]*)[ \t]+import[ \t]+(\(?[\w, \t]*)/gm,
        references(match) {
          const up = "../".repeat(Math.max(0, group(match).length - 1));
          const module = `./${up}${group(match, 2).replaceAll(".", "/")}`;
          const names = group(match, 3).match(/\w+/g) ?? [];
          const inside = names.map((name) => ({ beside: `${module.replace(/\/$/, "")}/${name}` }));
          return [{ beside: module }, ...inside];
        },
      },
      {
        seen: "from a.b import c",
        pattern: /^[ \t]*from[ \t]+(\w[\w.]*)[ \t]+import[ \t]+(\(?[\w, \t]*)/gm,
        references(match) {
          const module = group(match).replaceAll(".", "/");
          const names = group(match, 2).match(/\w+/g) ?? [];
          return [{ ending: module }, ...names.map((name) => ({ ending: `${module}/${name}` }))];
        },
      },
      {
        seen: "import a.b",
        pattern: /^[ \t]*import[ \t]+(\w[\w.]*)/gm,
        references: (match) => [{ ending: group(match).replaceAll(".", "/") }],
      },
    ],
  },
  {
    files: /\.go$/,
    endings: [],
    forms: [
      {
        // A package is a folder; the standard library's have no dot in their first part.
        seen: '"example.com/shop/internal/price"',
        pattern: /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w-]+\.[\w.-]+(?:\/[\w.~-]+)+)"/gm,
        references: (match) => [{ folder: group(match) }],
      },
    ],
  },
  {
    files: /\.rs$/,
    endings: [".rs", "/mod.rs"],
    forms: [
      {
        seen: "mod a;",
        pattern: /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm,
        references: (match) => [{ beside: `./${group(match)}` }, { ending: group(match) }],
      },
      {
        seen: "use crate::a::b::C",
        pattern: /\b(?:crate|super|self)((?:::\w+)+)/g,
        references: (match) => dotted(group(match)),
      },
      {
        seen: "use shop_core::price::round",
        pattern: /^[ \t]*(?:pub[ \t]+)?use[ \t]+\w+((?:::\w+)+)/gm,
        references: (match) => dotted(group(match)),
      },
    ],
  },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    endings: [".java", ".kt", ".scala", ".groovy"],
    forms: [
      {
        seen: "import com.shop.PriceList;",
        pattern: /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm,
        references: (match) => dotted(group(match)),
      },
      typeNames,
    ],
  },
  { files: /\.(?:cs|fs|vb|swift)$/, endings: [".cs", ".fs", ".vb", ".swift"], forms: [typeNames] },
  {
    files: /\.php$/,
    endings: ["", ".php"],
    forms: [
      {
        seen: "use Shop\\Price\\PriceList;",
        pattern: /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]+)/gm,
        references: (match) => dotted(group(match)),
      },
      {
        seen: "require __DIR__ . '/a.php';",
        pattern: /\b(?:require|include)(?:_once)?\b[^'"\n]{0,60}['"]\/?([^'"\n]+\.php)['"]/g,
        references: (match) => [{ beside: `./${group(match)}` }],
      },
      typeNames,
    ],
  },
  {
    files: /\.(?:rb|rake|gemspec)$/,
    endings: ["", ".rb"],
    forms: [
      {
        seen: 'require_relative "a"',
        pattern: /\brequire_relative[ \t(]+["']([^"'\n]+)["']/g,
        references: (match) => [{ beside: `./${group(match)}` }],
      },
      {
        seen: 'require "shop/a"',
        pattern: /\brequire[ \t(]+["']([^"'\n]+)["']/g,
        references: endingOf,
      },
      typeNames,
    ],
  },
  {
    files: /\.(?:exs?|eex|heex)$/,
    endings: [".ex", ".exs"],
    forms: [typeNames],
  },
  {
    files: /\.(?:c|h|cc|hh|cpp|hpp|cxx|hxx|m|mm|inl|cu)$/i,
    endings: [""],
    forms: [
      {
        seen: '#include "a.h"',
        pattern: /^[ \t]*#[ \t]*(?:include|import)[ \t]+"([^"\n]+)"/gm,
        references: (match) => [{ beside: `./${group(match)}` }, { ending: group(match) }],
      },
      {
        seen: "#include <shop/a.h>",
        pattern: /^[ \t]*#[ \t]*(?:include|import)[ \t]+<([^>\n]+\/[^>\n]+)>/gm,
        references: endingOf,
      },
    ],
  },
  {
    files: /\.dart$/,
    endings: [""],
    forms: [
      {
        seen: "import 'package:shop/src/a.dart';",
        pattern: /^[ \t]*(?:import|export|part)[ \t]+['"]package:\w+\/([^'"\n]+)['"]/gm,
        references: endingOf,
      },
      {
        seen: "part 'a.dart';",
        pattern: /^[ \t]*(?:import|export|part)[ \t]+['"]((?!package:|dart:)[^'"\n]+)['"]/gm,
        references: (match) => [{ beside: `./${group(match)}` }],
      },
    ],
  },
  {
    files: /\.lua$/,
    endings: [".lua", "/init.lua"],
    forms: [
      {
        seen: 'require("shop.price")',
        pattern: /\brequire[ \t(]*["']([\w./-]+)["']/g,
        references: (match) => [{ ending: group(match).replaceAll(".", "/") }],
      },
    ],
  },
  {
    files: /\.(?:ba|z)?sh$/,
    endings: [""],
    forms: [
      {
        seen: '. "$here/a.sh"',
        pattern: /^[ \t]*(?:source|\.)[ \t]+["']?(?:[^\s"'/]*\/)*([\w.-]+)/gm,
        references: endingOf,
      },
    ],
  },
  {
    files: /\.(?:s?css|sass|less)$/,
    endings: ["", ".scss", ".sass", ".less", ".css"],
    forms: [
      {
        seen: "@use './a';",
        pattern: /@(?:use|import|forward)[ \t]+["']([^"':\n]+)["']/g,
        references: (match) => [
          { beside: `./${group(match)}` },
          { beside: `./${group(match).replace(/([^/]+)$/, "_$1")}` },
        ],
      },
    ],
  },
];

/** References that are read of one text: a text of more names everything. */
const maxReferences = 400;

/** What the text of a file refers to, each once, with what may be left out of a path. */
export function referencesIn(
  path: string,
  text: string,
): { readonly references: readonly Reference[]; readonly endings: readonly string[] } {
  const language = languages.find(({ files }) => files.test(path));
  const found = new Map<string, Reference>();
  for (const { pattern, references } of language?.forms ?? []) {
    for (const match of text.matchAll(pattern)) {
      for (const reference of references(match)) found.set(JSON.stringify(reference), reference);
      if (found.size >= maxReferences) break;
    }
  }
  return { references: [...found.values()], endings: language?.endings ?? [] };
}
