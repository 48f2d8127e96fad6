import { expect, test } from "vitest";
import { isLoopback, isOwnNetwork } from "../../src/lib/hosts.ts";

test.each(["localhost", "LOCALHOST.", "api.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "::1"])(
  "%s is this machine",
  (host) => {
    expect([isLoopback(host), isOwnNetwork(host)]).toEqual([true, true]);
  },
);

test.each([
  "10.1.2.3",
  "172.31.0.1",
  "192.168.1.10",
  "100.101.1.1",
  "[fd00::1]",
  "gpu-box",
  "box.local",
  "llm.internal",
])("%s is on the user's own network", (host) => {
  expect([isLoopback(host), isOwnNetwork(host)]).toEqual([false, true]);
});

test.each([
  "8.8.8.8",
  "172.32.0.1",
  "example.com",
  "localhost.example.com",
  "127.0.0.1.example.com",
  "192.168.1.1.evil.com",
  "[2606:4700::1]",
])("%s is anybody's", (host) => {
  expect([isLoopback(host), isOwnNetwork(host)]).toEqual([false, false]);
});
