import { describe } from "vitest";
import { conformance, testBehaviours, testConformance } from "./conformance.ts";
import { piWithModels } from "./support.ts";

describe("through pi 1.x", () => {
  testConformance(conformance, () => piWithModels());
  testBehaviours(() => piWithModels());
});
