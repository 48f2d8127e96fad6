import { array, assert, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/lib/yaml.ts";

/** `line:column message` of each problem. */
function told(text: string, file = "f.yaml"): readonly string[] {
  return parseYaml(text, file).problems.map(
    ({ place, message }) => `${place.line}:${place.column} ${message}`,
  );
}

describe("parseYaml", () => {
  it("reads YAML 1.2: yes, on and dates are text, 012 is twelve", () => {
    const { value, problems } = parseYaml(
      "a: yes\nb: on\nc: 012\nd: 2024-01-01\ne: ~\nf: true\n",
      "f",
    );

    expect(value).toEqual({ a: "yes", b: "on", c: 12, d: "2024-01-01", e: null, f: true });
    expect(problems).toEqual([]);
  });

  it.each(["", "# nothing\n", "---\n", "\ufeff", "null"])("reads %j as null", (text) => {
    expect(parseYaml(text, "f")).toMatchObject({ value: null, problems: [] });
  });

  it("reads every JSON text as JSON.parse does", () => {
    assert(
      property(jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const read = parseYaml(text, "f.json");
        expect(read.problems).toEqual([]);
        expect(JSON.parse(JSON.stringify(read.value))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("reads JSON that is indented by tabs", () => {
    const text = JSON.stringify({ a: { b: [1, { c: "d" }] } }, undefined, "\t");

    expect(parseYaml(text, "f.json").value).toEqual({ a: { b: [1, { c: "d" }] } });
    expect(parseYaml(text, "f.yaml").value).toEqual({ a: { b: [1, { c: "d" }] } });
  });

  it("keeps keys that objects are born with, and leaves all objects alone", () => {
    const text = "__proto__:\n  polluted: yes\nconstructor: x\ntoString: y\n";

    const value = parseYaml(text, "f").value as Record<string, unknown>;

    expect(Object.keys(value)).toEqual(["__proto__", "constructor", "toString"]);
    expect(value["__proto__"]).toEqual({ polluted: "yes" });
    expect(value["valueOf"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("drops a byte-order mark without moving places", () => {
    const { value, placeOf } = parseYaml("\ufeffname: x\n", "f");

    expect(value).toEqual({ name: "x" });
    expect(placeOf(["name"])).toEqual({ line: 1, column: 1 });
  });

  it("reads tags of other languages as what they stand on, with a warning", () => {
    const { value, problems } = parseYaml("a: !!js/function x\nb: !!set {y, z}\n", "f");

    expect(value).toEqual({ a: "x", b: { y: null, z: null } });
    expect(problems.map(({ severity, place }) => `${severity} ${place.line}`)).toEqual([
      "warning 1",
      "warning 2",
    ]);
  });

  it("never throws, and gives a value or an error", () => {
    const text = string({ maxLength: 60, unit: "binary" });
    assert(
      property(text, (content) => {
        const { value, problems } = parseYaml(content, "f.yaml");
        expect(value === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      }),
    );
  });
});

describe("problems", () => {
  it.each([
    ["a key given twice", "a: 1\nb:\n  c: 1\n  c: 2\n", "4:3 Map keys must be unique"],
    ["a number and its text as keys", '1: a\n"1": b\n', "2:1 Map keys must be unique"],
    ["__proto__ given twice", "__proto__: 1\n__proto__: 2\n", "2:1 Map keys must be unique"],
    ["a tab that indents", "a:\n\tb: 1\n", "2:1 Tabs are not allowed as indentation"],
    ["a second colon", "description: Looks at: x\n", "1:14 Nested mappings"],
    ["a quote that never ends, where it starts", 'a: 1\nb: "x\nc: 2\n', "2:4 Missing closing"],
    ["a bracket that never ends", "a: [1,\n  2\n", "3:1 Flow sequence"],
    ["a second document", "a: 1\n---\nb: 2\n", "2:1 a second document"],
    ["an alias without an anchor", "a: 1\nb: *x\n", "2:4 *x stands for nothing"],
    ["an alias before its anchor", "a: *x\nb: &x 1\n", "1:4 *x stands for nothing"],
    ["an alias inside what it names", "a: &a\n  b: *a\n", "2:6 an alias stands inside"],
    ["a merge of no map", "a:\n  <<: 3\n", "2:3 << takes a map"],
    ["a merge key given twice", "x: &x {a: 1}\n<<: *x\n<<: *x\n", "3:1 Map keys must be unique"],
  ])("tell %s", (_, text, expected) => {
    const [first = ""] = told(text);

    expect(first.slice(0, expected.length)).toBe(expected);
    expect(parseYaml(text, "f").value).toBeUndefined();
  });

  it("count columns after CRLF and characters outside ASCII as people do", () => {
    expect(told("a: 1\r\nü: 1\r\nü: 2\r\n")).toEqual(["3:1 Map keys must be unique"]);
  });

  it.each([
    ["comments", '{"a": 1 // x\n}'],
    ["a trailing comma", '{"a": 1,}'],
    ["single quotes", "{'a': 1}"],
    ["YAML", "a: 1\n"],
  ])("tell %s in a file named .json, without its text", (_, text) => {
    const [first = ""] = told(text, "f.json");

    expect(first).toMatch(/^1:\d+ this is not JSON/);
    expect(parseYaml(text, "f.json").value).toBeUndefined();
  });

  it("tell a key given twice in JSON", () => {
    expect(told('{"a": 1,\n "a": 2}', "f.json")).toEqual(["2:2 Map keys must be unique"]);
  });

  it.each([
    ["lists", "[".repeat(20_000)],
    ["closed lists", "[".repeat(5000) + "]".repeat(5000)],
    ["maps", Array.from({ length: 3000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("tell %s that are nested too deeply", (_, text) => {
    expect(told(text)[0]).toMatch(/^\d+:\d+ is nested too deeply$/);
  });

  it("tell aliases that multiply, at once", () => {
    const names = "a b c d e f g h i".split(" ");
    const lines = names.map((name, index) => {
      const item = index === 0 ? "x" : `*${names[index - 1]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => item).join(", ")}]`;
    });
    const startedAt = performance.now();

    expect(told(lines.join("\n")).join()).toContain("aliases multiply");
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it("come quickly for thousands of keys and aliases", () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `  k${index}: {x: ${index}}`);
    const aliases = `b: [${"*a, ".repeat(5000)}]`;
    const startedAt = performance.now();

    parseYaml(`a: &a\n${keys.join("\n")}\n${aliases}\n`, "f");

    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

describe("merge keys", () => {
  it("bring the keys of another map, own ones first", () => {
    const text = "d: &d {x: 1, y: 2}\nname: m\n<<: *d\ny: 3\n";

    expect(parseYaml(text, "f").value).toEqual({ d: { x: 1, y: 2 }, name: "m", x: 1, y: 3 });
  });

  it("take a list of maps, the first winning", () => {
    const text = "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc:\n  <<: [*a, *b]\n";

    expect(parseYaml(text, "f").value).toHaveProperty("c", { x: 1, y: 2 });
  });

  it("are keys like others when they are quoted", () => {
    expect(parseYaml('"<<": 1\n', "f").value).toEqual({ "<<": 1 });
  });
});

describe("placeOf", () => {
  const text =
    "a:\n  b:\n    - x\n    - c: 1\n      d: 2\nbase: &base\n  e: 3\nf:\n  <<: *base\ng: *base\n1: one\n";

  it.each([
    [[], { line: 1, column: 1 }],
    [["a"], { line: 1, column: 1 }],
    [["a", "b"], { line: 2, column: 3 }],
    [["a", "b", 0], { line: 3, column: 7 }],
    [["a", "b", 1, "d"], { line: 5, column: 7 }],
    [["f", "e"], { line: 7, column: 3 }],
    [["g", "e"], { line: 7, column: 3 }],
    [[1], { line: 11, column: 1 }],
    [["a", "none"], undefined],
    [["a", "b", 9], undefined],
    [["a", "b", 0, "x"], undefined],
    [["toString"], undefined],
  ])("of %j is %j", (path, place) => {
    expect(parseYaml(text, "f").placeOf(path)).toEqual(place);
  });

  it("finds every key of every map", () => {
    const keys = string({ minLength: 1, maxLength: 8 });
    assert(
      property(dictionary(keys, array(jsonValue(), { maxLength: 3 }), { maxKeys: 6 }), (value) => {
        const { placeOf } = parseYaml(JSON.stringify(value, undefined, 2), "f.json");
        for (const key of Object.keys(value)) {
          expect(placeOf([key])?.column).toBe(3);
        }
      }),
    );
  });

  it("gives nothing where the text could not be read", () => {
    expect(parseYaml("a: [", "f").placeOf(["a"])).toBeUndefined();
  });
});
