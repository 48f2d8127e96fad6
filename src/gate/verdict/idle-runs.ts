/** How a program that prints no count says that it ran no test. */
interface IdleRun {
  readonly runner: string;
  /** A real output, kept so that the row can be checked. */
  readonly evidence: string;
  readonly says: RegExp;
  /** What shows that tests ran all the same, elsewhere in the output. */
  readonly unless: RegExp;
}

/** Looked at where no closing lines with a count stand. */
export const idleRuns: readonly IdleRun[] = [
  {
    // `go test` names packages, not tests: only "every package has no test files" is a count.
    runner: "go test",
    evidence: "?   \texample.com/x\t[no test files]\nok  \texample.com/y\t0.1s [no tests to run]",
    says: /^\?\s+\S+\s+\[no test files\]$|^ok\s+\S+\s+\S+ \[no tests to run\]$/m,
    unless: /^(?:ok|FAIL|---|panic:)[\s:](?!.*\[no tests to run\])/m,
  },
  {
    // A folder `test` beside a rule `test` that is not .PHONY.
    runner: "make",
    evidence: "make: 'test' is up to date.",
    says: /^make: (?:Nothing to be done for )?[‘'`"](?:\S*[-_])?(?:tests?|check|spec|verify)(?:[-_:]\S*)?[’'"](?: is up to date)?\.$/m,
    unless: /^(?!make(?:\[\d+\])?: ).*\S/m,
  },
  {
    runner: "gradle",
    evidence: "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
    says: /^> Task :(?:\S+:)?test NO-SOURCE$/m,
    unless:
      /^> Task :(?:\S+:)?(?!(?:compile|process)\w*|testClasses)\w*[tT]est\w*(?: (?:FAILED|UP-TO-DATE|FROM-CACHE))?$/m,
  },
  {
    runner: "TAP",
    evidence: "TAP version 13\n1..0 # no tests",
    says: /^1\.\.0(?:\s*#.*)?$/m,
    unless: /^(?:not )?ok\b|^1\.\.[1-9]/m,
  },
  {
    runner: "prove",
    evidence: "Files=0, Tests=0,  0 wallclock secs\nResult: NOTESTS",
    says: /^Result: NOTESTS$/m,
    unless: /^Result: (?:PASS|FAIL)$/m,
  },
];
