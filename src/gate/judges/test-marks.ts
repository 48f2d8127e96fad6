/** What a piece of code does to the tests around it. */
export type MarkKind = "focus" | "skip" | "exit" | "tamper" | "channel" | "test" | "assertion";

/** One way of one language to say it. */
interface TestMark {
  readonly kind: MarkKind;
  /** File names it is looked for in. */
  readonly files: RegExp;
  /** Global and multiline; each match is one mark. */
  readonly pattern: RegExp;
  /** Lines with exactly one mark each, kept so that the row can be checked. */
  readonly examples: readonly string[];
}

const js = /\.[cm]?[jt]sx?$/;
const py = /\.py$/;
const go = /\.go$/;
const rust = /\.rs$/;
const ruby = /\.rb$/;
const jvm = /\.(?:java|kts?|scala|groovy)$/;
const shell = /\.(?:sh|bash|bats)$/;

/** The marks by language. Runners of one language share them: none of these words means another thing. */
export const testMarks: readonly TestMark[] = [
  {
    kind: "focus",
    files: js,
    pattern:
      /\b(?:describe|it|test|suite|context|specify)(?:\.\w+)*\.only\b|\bf(?:it|describe|context)\s*\(|\{[^{}\n]*\bonly:\s*true/g,
    examples: ["it.only('a', () => {})", "fdescribe('a', f)", "test('a', { only: true }, f)"],
  },
  {
    kind: "focus",
    files: ruby,
    pattern: /\bf(?:it|describe|context)\b|\bfocus: true|, :focus\b/g,
    examples: ["fit 'adds' do", "it 'adds', :focus do"],
  },
  {
    kind: "skip",
    files: js,
    pattern:
      /\b(?:describe|it|test|suite|context|specify)(?:\.\w+)*\.(?:skip|todo|skipIf|runIf|fixme|fails)\b|\bx(?:it|test|describe|context|specify)\s*\(|\{[^{}\n]*\b(?:skip|todo):\s*(?!false)|\b(?:t|ctx|context|this)\.(?:skip|todo)\(/g,
    examples: ["it.skip('a', f)", "xit('a', f)", "test('a', { skip: true }, f)", "t.skip()"],
  },
  {
    kind: "skip",
    files: py,
    pattern:
      /@(?:unittest\.)?(?:skip\w*|expectedFailure)\b|\bpytest\.mark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\(|\.skipTest\(|\bSkipTest\b|\bcollect_ignore\b|\b__test__\s*=\s*False/g,
    examples: ["@unittest.skip('x')", "@pytest.mark.xfail", "self.skipTest('x')"],
  },
  {
    kind: "skip",
    files: go,
    pattern: /\b[tb]\.Skip(?:f|Now)?\(|^\/\/go:build\b/gm,
    examples: ['t.Skip("x")', "//go:build never"],
  },
  { kind: "skip", files: rust, pattern: /#\[ignore\b/g, examples: ["#[ignore]"] },
  {
    kind: "skip",
    files: jvm,
    pattern: /@(?:Disabled|Ignore)\w*\b/g,
    examples: ["@Disabled", '@Ignore("x")'],
  },
  {
    kind: "skip",
    files: ruby,
    pattern: /^\s*(?:skip|pending)\b|\bx(?:it|describe|context|specify)\b/gm,
    examples: ["  skip 'later'", "xit 'adds' do"],
  },
  {
    kind: "exit",
    files: js,
    pattern:
      /\bprocess\s*(?:\.|\[["'])\s*(?:exit|reallyExit)["']?\]?\(\s*(?:0|process\.exitCode)?\s*\)|\bprocess\.exitCode\s*=\s*0|\bprocess\.(?:kill\(\s*process\.pid|abort\()|\b(?:Deno|Bun)\.exit\(\s*0?\s*\)/g,
    examples: ["process.exit(0);", "process.exit()", "process.exitCode = 0;"],
  },
  {
    kind: "exit",
    files: py,
    pattern:
      /\bos\._exit\(\s*0|\bsys\.exit\(\s*0?\s*\)|\braise SystemExit\b(?!\(\s*[^0)])|^\s*(?:exit|quit)\(\s*0?\s*\)|\batexit\.register\(/gm,
    examples: ["os._exit(0)", "sys.exit()", "raise SystemExit", "  exit(0)"],
  },
  {
    kind: "exit",
    files: go,
    pattern: /\bos\.Exit\(\s*0\s*\)/g,
    examples: ["os.Exit(0)"],
  },
  {
    kind: "exit",
    files: rust,
    pattern: /\bprocess::(?:exit\(\s*0\s*\)|abort\(\))/g,
    examples: ["std::process::exit(0);"],
  },
  {
    kind: "exit",
    files: ruby,
    pattern: /\bexit!?(?:\(\s*(?:0|true)?\s*\)|\s+(?:0|true))?\s*$/gm,
    examples: ["exit!", "  exit 0", "Kernel.exit(true)"],
  },
  {
    kind: "exit",
    files: shell,
    pattern: /^\s*exit(?:\s+0)?\s*(?:;|$)|;\s*exit(?:\s+0)?\s*$|\bkill\b[^\n]*\$(?:\$|PPID)/gm,
    examples: ["exit 0", "exit", "kill -9 $PPID"],
  },
  {
    kind: "exit",
    files: jvm,
    pattern: /\b(?:System\.exit|exitProcess|Runtime\.getRuntime\(\)\.halt)\(\s*0\s*\)/g,
    examples: ["System.exit(0);"],
  },
  {
    // Sources and tests share one process: what a source puts there answers to the tests.
    kind: "tamper",
    files: js,
    pattern:
      /\b(?:assert|expect)(?:\.\w+)*(?:\.\w+|\[["']\w+["']\])\s*=(?!=)|\b(?:Object\.(?:assign|defineProperty)|Reflect\.set)\(\s*(?:assert|expect)\b|\bglobal(?:This)?\.(?:expect|assert|it|test|describe)\s*=(?!=)/g,
    examples: [
      "assert.equal = () => {};",
      "Object.assign(assert, { equal() {} })",
      "globalThis.expect = f;",
    ],
  },
  {
    kind: "tamper",
    files: py,
    pattern:
      /\bTestCase\.\w+\s*=(?!=)|\bsetattr\(\s*(?:unittest|TestCase|pytest|_pytest)\b|\bsys\.modules\[\s*["'](?:unittest|pytest|_pytest)\b|\b(?:unittest|pytest|_pytest)(?:\.\w+)+\s*=(?!=)/g,
    examples: [
      "unittest.TestCase.assertEqual = f",
      'setattr(unittest.TestCase, "run", f)',
      'sys.modules["pytest"] = f',
    ],
  },
  {
    // Who writes a report in the runner's place must know where it belongs.
    kind: "channel",
    files: /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|scala|groovy)$/,
    pattern: /\bkit-report\b|\bKIT_PROCESS\b|\bPYTEST_ADDOPTS\b|\bNODE_(?:OPTIONS|TEST_CONTEXT)\b/g,
    examples: [
      'readdirSync(tmpdir()).filter((n) => n.startsWith("kit-report-"))',
      "process.env.NODE_OPTIONS",
      'os.environ["PYTEST_ADDOPTS"]',
    ],
  },
  {
    kind: "test",
    files: js,
    pattern: /\b(?:it|test|specify)(?:\.\w+)*(?:\([^()\n]*\))?\s*[(`](?=\s*["'`{\w$])/g,
    examples: ["test('adds', () => {})", "it.each(rows)('adds', f)"],
  },
  {
    kind: "test",
    files: py,
    pattern: /^\s*(?:async )?def test\w*/gm,
    examples: ["def test_add():", "    async def test_add(self):"],
  },
  {
    kind: "test",
    files: go,
    pattern: /^func (?:Test|Fuzz|Example)\w*\(/gm,
    examples: ["func TestAdd(t *testing.T) {"],
  },
  {
    kind: "test",
    files: jvm,
    pattern: /@(?:Test|ParameterizedTest|RepeatedTest)\b/g,
    examples: ["@Test"],
  },
  {
    kind: "test",
    files: ruby,
    pattern: /^\s*(?:it|specify|test)\s+["']|^\s*def test_/gm,
    examples: ["  it 'adds' do", "  def test_add"],
  },
  {
    kind: "assertion",
    files: js,
    pattern: /\b(?:assert(?:\.\w+)*|expect(?:\.\w+)*)\s*\(|\.should\b/g,
    examples: ["assert.equal(a, 5)", "expect(a).toBe(5)"],
  },
  {
    kind: "assertion",
    files: py,
    pattern: /^\s*assert\b|\.assert\w+\(|\bpytest\.raises\(/gm,
    examples: ["    assert a == 5", "self.assertEqual(a, 5)"],
  },
  {
    kind: "assertion",
    files: go,
    pattern: /\bt\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require)\.\w+\(/g,
    examples: ['t.Errorf("x")', "require.Equal(t, 1, a)"],
  },
  { kind: "assertion", files: rust, pattern: /\bassert\w*!/g, examples: ["assert_eq!(a, 5);"] },
  {
    kind: "assertion",
    files: jvm,
    pattern: /\bassert\w*\(/g,
    examples: ["assertEquals(5, a);"],
  },
  {
    kind: "assertion",
    files: ruby,
    pattern: /\bexpect\s*[({]|^\s*assert\w*\b|\.should\b/gm,
    examples: ["expect(a).to eq 5", "  assert_equal 5, a"],
  },
];

/** How often a text says it; comments at the start of a line are not read. */
export function countMarks(path: string, text: string, kind: MarkKind): number {
  const code = text.replaceAll(/^\s*(?:\/\/(?!go:build)|#(?!\[)|\*).*$/gm, "");
  return testMarks
    .filter((mark) => mark.kind === kind && mark.files.test(path))
    .reduce((sum, { pattern }) => sum + (code.match(pattern)?.length ?? 0), 0);
}
