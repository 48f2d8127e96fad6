import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escaped, html } from "../../src/report/html.ts";
import { visible } from "../../src/report/visible.ts";

describe("text in a report", () => {
  test.each([
    ["</script><script>alert(1)</script>", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"],
    ['"><img src=x onerror=alert(1)>', "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"],
    ["a & b &amp; c's", "a &amp; b &amp;amp; c&#39;s"],
  ])("%s is escaped", (text, markup) => {
    expect(escaped(text)).toBe(markup);
  });

  test.each([
    ["a NUL", "a\0b", "a␀b"],
    ["a colour of a terminal", "\u001b[31mred", "␛[31mred"],
    [
      "a mark that turns the direction",
      "user\u202e\u2066 // admin\u2066",
      "user⟨U+202E⟩⟨U+2066⟩ // admin⟨U+2066⟩",
    ],
    ["a blank without width", "pass\u200bword", "pass⟨U+200B⟩word"],
    ["half a character", "\ud800x", "\ufffdx"],
    ["a C1 control", "a\u009bb", "a⟨U+009B⟩b"],
  ])("%s is made visible", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("tabs, line ends and the joiners of emoji stay", () => {
    expect(visible("\tone\r\ntwo\n\u{1f469}\u200d\u{1f4bb}\r")).toBe(
      "\tone\ntwo\n\u{1f469}\u200d\u{1f4bb}␍",
    );
  });

  test("whatever is put in, no markup and no hidden character comes out", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { markup } = html`<p title="${text}">${text}</p>`;
        expect(markup.replaceAll(/^<p title="|">|<\/p>$/g, "")).not.toMatch(
          /[<>"'\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });

  test("markup stays markup, lists are joined, and nothing is nothing", () => {
    const items = ["a", "<"].map((text) => html`<li>${text}</li>`);
    expect(html`${items}${undefined}${false}${3}`.markup).toBe("<li>a</li><li>&lt;</li>3");
  });
});
