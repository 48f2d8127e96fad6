import { fault, type ReportedTest, type Reader, reading } from "./reading.ts";
import { walkXml } from "./xml.ts";

const maxMessageChars = 4_000;

/** TRX, what `dotnet test --logger trx` writes: a `UnitTestResult` a test, its class elsewhere. */
export const readTrx: Reader = (text) => {
  const results: { id: string; name: string; outcome: string; message: string }[] = [];
  const classes = new Map<string, string>();
  const within: string[] = [];
  let unit = "";
  let isTrx = false;
  const wrong = walkXml(text, {
    open(name, attributes) {
      within.push(name);
      if (name === "TestRun") isTrx = true;
      else if (name === "UnitTest") unit = attributes.get("id") ?? "";
      else if (name === "TestMethod") classes.set(unit, attributes.get("className") ?? "");
      else if (name === "UnitTestResult") {
        results.push({
          id: attributes.get("testId") ?? "",
          name: attributes.get("testName") ?? "",
          outcome: attributes.get("outcome") ?? "",
          message: "",
        });
      }
    },
    text(part) {
      const last = results.at(-1);
      if (last === undefined || last.message.length > maxMessageChars) return;
      if (within.at(-1) === "Message" || within.at(-1) === "StackTrace") {
        last.message += `${part.slice(0, maxMessageChars)}\n`;
      }
    },
    close: () => within.pop(),
  });
  if (wrong !== undefined) return fault(wrong);
  if (!isTrx) return fault("it is XML of another kind");
  return reading(
    results.map(({ id, name, outcome, message }): ReportedTest => {
      const of = classes.get(id) ?? "";
      const own = of !== "" && name.startsWith(`${of}.`) ? name.slice(of.length + 1) : name;
      const status =
        outcome === "Passed" ? "passed" : outcome === "NotExecuted" ? "skipped" : "failed";
      return {
        names: [of, own].filter((each) => each !== ""),
        status,
        message: status === "failed" ? message.trim() : undefined,
      };
    }),
  );
};
