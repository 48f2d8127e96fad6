import { test } from "vitest";
import { neverOverItsRoom } from "./window-property.ts";

test("of 10,000 generated packs none makes a prompt over its room", () => {
  neverOverItsRoom(10_000);
});
