import { expect, test } from "vitest";
import { isSameModel } from "../../src/adapters/same-model.ts";

test.each([
  ["gpt-4o", "gpt-4o-2024-08-06"],
  ["gpt-4o", "GPT-4o"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  ["anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929"],
  ["gemini-2.5-pro", "models/gemini-2.5-pro"],
  ["gemini-2.0-flash", "gemini-2.0-flash-001"],
  ["qwen/qwen3-coder:free", "qwen/qwen3-coder"],
  ["gpt-4-0613", "gpt-4"],
  ["qwen2.5-coder", "/models/qwen2.5-coder.gguf"],
  ["openrouter/auto", "anthropic/claude-sonnet-4-5"],
  ["mistral-large-latest", "mistral-large"],
])("%s answering as %s is the model asked", (asked, answered) => {
  expect(isSameModel(asked, answered)).toBe(true);
});

test.each([
  ["gpt-4o", "gpt-4o-mini"],
  ["gpt-4o", "gpt-4o-mini-2024-07-18"],
  ["claude-opus-4-5", "claude-haiku-4-5"],
  ["coding", "coding-highspeed"],
  ["gpt-5", "gpt-5-nano"],
  ["qwen3-coder-30b", "qwen3-coder-480b"],
  ["gemini-2.5-pro", "gemini-2.5-flash"],
  ["o1", "o1-pro"],
  ["gpt-5", "gpt-5.1"],
])("%s answering as %s is another model", (asked, answered) => {
  expect(isSameModel(asked, answered)).toBe(false);
});
