import { describe, expect, test } from "vitest";
import { languages } from "../../src/survey/signals/references.ts";
import { folderWith, survey } from "./support.ts";

test.each(languages.flatMap(({ forms }) => forms.map((form) => [form.seen, form] as const)))(
  "reads `%s`",
  (seen, { pattern, references }) => {
    const found = [...seen.matchAll(pattern)].flatMap((match) => references(match));

    expect(found.length).toBeGreaterThan(0);
  },
);

/** Enough other files that the repository is not shown whole. */
const crowd = (ending: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`other/part${index}${ending}`, "nothing\n"]),
  );

describe("what the best file refers to is shown, in", () => {
  test.each([
    ["TypeScript", "src/invoice.ts", 'import { a } from "./deep/cents.js";', "src/deep/cents.ts"],
    ["an alias", "src/invoice.ts", 'import { a } from "@/deep/cents";', "src/deep/cents.ts"],
    ["Python", "shop/invoice.py", "from shop.deep import cents", "shop/deep/cents.py"],
    ["Python, relative", "shop/invoice.py", "from .cents import half", "shop/cents.py"],
    ["Python, above", "shop/a/invoice.py", "from ..cents import half", "shop/cents.py"],
    ["Go", "cmd/invoice.go", 'import (\n\t"fmt"\n\t"example.com/shop/money"\n)', "money/cents.go"],
    ["Rust", "src/invoice.rs", "use crate::money::cents::Half;", "src/money/cents.rs"],
    ["a module of Rust", "src/invoice.rs", "mod cents;", "src/cents.rs"],
    [
      "Java",
      "src/main/java/com/shop/Invoice.java",
      "import com.shop.money.Cents;",
      "src/main/java/com/shop/money/Cents.java",
    ],
    ["a package of Java", "com/shop/Invoice.java", "new HalfCents();", "com/shop/HalfCents.java"],
    ["Kotlin", "shop/Invoice.kt", "val half = HalfCents(1)", "money/HalfCents.kt"],
    ["C#", "Shop/Invoice.cs", "var half = new HalfCents();", "Money/HalfCents.cs"],
    ["PHP", "src/Invoice.php", "use Shop\\Money\\Cents;", "src/Money/Cents.php"],
    ["Ruby", "lib/invoice.rb", 'require_relative "money/cents"', "lib/money/cents.rb"],
    ["a constant of Ruby", "lib/invoice.rb", "HalfCents.new", "lib/half_cents.rb"],
    ["C", "src/invoice.c", "#include <shop/cents.h>", "include/shop/cents.h"],
    ["Lua", "invoice.lua", 'local c = require("money.cents")', "money/cents.lua"],
  ])("%s", async (_, path, line, target) => {
    const ending = path.slice(path.lastIndexOf("."));
    const root = folderWith({ ...crowd(ending), [path]: `${line}\n`, [target]: "x\n" });

    const { ranked } = await survey(root, "Invoice is wrong");

    expect(ranked.find((file) => file.path === target)?.why).toContain("imported by what fits");
  });

  test("a name that many files have refers to none", async () => {
    const many = Array.from({ length: 5 }, (_, index) => [`m${index}/Cents.java`, "x\n"] as const);
    const root = folderWith({
      ...crowd(".java"),
      ...Object.fromEntries(many),
      "Invoice.java": "new Cents();\n",
    });

    const { ranked } = await survey(root, "Invoice is wrong");

    expect(ranked.filter(({ path }) => path.endsWith("Cents.java"))).toEqual([]);
  });
});

describe("a test and its source find each other, in", () => {
  test.each([
    ["Go", "pkg/invoice.go", "pkg/invoice_test.go"],
    ["Python", "shop/invoice.py", "tests/test_invoice.py"],
    ["Java", "src/main/java/Invoice.java", "src/test/java/InvoiceTest.java"],
    ["C#", "Shop/Invoice.cs", "Shop.Tests/InvoiceTests.cs"],
    ["Ruby", "lib/invoice.rb", "spec/invoice_spec.rb"],
    ["PHP", "src/Invoice.php", "tests/InvoiceTest.php"],
    ["Kotlin", "src/main/kotlin/Invoice.kt", "src/test/kotlin/InvoiceTest.kt"],
    ["Rust", "src/invoice.rs", "tests/invoice.rs"],
    ["Scala", "src/main/scala/Invoice.scala", "src/test/scala/InvoiceSuite.scala"],
    ["Swift", "Sources/Invoice.swift", "ShopTests/InvoiceTests.swift"],
    ["Perl", "lib/Invoice.pm", "t/invoice.t"],
    ["C++", "src/invoice.cc", "src/invoice_unittest.cc"],
    ["a header", "src/invoice.c", "include/invoice.h"],
    ["types", "lib/invoice.js", "lib/invoice.d.ts"],
  ])("%s", async (_, source, other) => {
    const ending = source.slice(source.lastIndexOf("."));
    const root = folderWith({ ...crowd(ending), [source]: "invoice\n", [other]: "x\n" });

    const { ranked } = await survey(root, "Invoice is wrong");

    expect(ranked.find(({ path }) => path === other)?.why).toContain("a test and its source");
  });
});
