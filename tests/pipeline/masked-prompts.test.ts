import type { CallRequest } from "../../src/contracts/index.ts";
import { expect, test } from "vitest";
import { sha256 } from "../../src/lib/text.ts";
import {
  candidate,
  fileBlock,
  fixedMath,
  mathPack,
  packText,
  play,
  redRepository,
  type Scene,
} from "./support.ts";

const a = candidate("p1/a");
const b = candidate("p2/b");
const right = fileBlock("src/math.js", fixedMath);
const wrong = fileBlock("src/math.js", "export const add = (a, b) => a * b;\n");
const secret = `sk-proj-${"Zq7".repeat(16)}`;
const packWithSecret = { ...mathPack, goal: `add(2, 3) returns 5, with the key ${secret}.` };

/** Where a secret comes from, and a scene in which it would reach the last prompt. */
const scenes: readonly (readonly [from: string, scene: Scene])[] = [
  [
    "a provider's message",
    {
      coder: [a, b],
      pack: mathPack,
      answer: ({ candidate: name }) => {
        const message = `401 Incorrect API key provided: ${secret}.`;
        return name === "p2/b" ? right : { ok: false, failure: { kind: "auth", message } };
      },
    },
  ],
  ["a pack that the user gives", { coder: [a], pack: packWithSecret, answer: () => right }],
  [
    "a scout's reply",
    {
      coder: [a],
      answer: ({ candidate: name }) =>
        name === "p0/scout"
          ? packText("src/math.js").replace("returns 5.", `returns 5, ${secret}.`)
          : right,
    },
  ],
  ["the task", { task: `Fix add(), key ${secret}`, coder: [a], answer: scouted(right) }],
  [
    "the test command",
    { test: `KEY_OF_IT=${secret} sh check.sh`, coder: [a], answer: scouted(right) },
  ],
  [
    "the name of a file",
    {
      files: { ...redRepository, [`src/${secret}.js`]: "1;\n" },
      coder: [a],
      answer: scouted(right),
    },
  ],
  [
    "a coder's refused reply",
    {
      coder: [a, b],
      pack: mathPack,
      answer: ({ candidate: name }) =>
        name === "p1/a" ? `${wrong}=== FILE: src/${secret}.js ===\n1;\n=== END ===\n` : right,
    },
  ],
];

function scouted(reply: string): Scene["answer"] {
  return ({ candidate: name }) => (name === "p0/scout" ? packText("src/math.js") : reply);
}

test.each(scenes)("a secret from %s reaches no model", async (_, scene) => {
  const requests: CallRequest[] = [];

  const { outcome, events } = await play({
    ...scene,
    answer(call) {
      requests.push(call.request);
      return scene.answer(call);
    },
  });

  expect(outcome.outcome).toBe("success");
  for (const { systemPrompt, prompt } of requests) {
    expect(systemPrompt + prompt).not.toContain(secret);
  }
  expect(requests.some(({ prompt }) => prompt.includes("[redacted]"))).toBe(true);
  // What the record names is what was sent.
  const recorded = events.flatMap((event) => (event.type === "call_started" ? event.prompt : []));
  expect(recorded).toEqual(
    requests.map(({ systemPrompt, prompt }) => sha256(`${systemPrompt}\n\n${prompt}`)),
  );
});
