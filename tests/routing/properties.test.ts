import * as fc from "fast-check";
import { expect, test } from "vitest";
import { thinkingLevels } from "../../src/contracts/index.ts";
import { parseModelFlag } from "../../src/routing/index.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,10}$/);
const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9/:._@=-]{0,20}$/);

test("--model gives back the parts it was made of", () => {
  fc.assert(
    fc.property(
      name,
      name,
      id,
      fc.constantFrom(...thinkingLevels),
      (backend, provider, model, thinking) => {
        const flag = parseModelFlag(`${backend}=${provider}/${model}:${thinking}`);

        expect(flag).toEqual({ backend, provider, model, thinking });
      },
    ),
  );
});

test("--model keeps an id that ends in no level to the letter", () => {
  const plain = id.filter((text) => !thinkingLevels.some((level) => text.endsWith(`:${level}`)));

  fc.assert(
    fc.property(name, name, plain, (backend, provider, model) => {
      expect(parseModelFlag(`${backend}=${provider}/${model}`)).toEqual({
        backend,
        provider,
        model,
      });
    }),
  );
});
