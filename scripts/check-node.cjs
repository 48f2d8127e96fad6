"use strict";
// Runs before the tests: without the `node` devDependency npm scripts fall back to the system's
// Node, and the suite would say nothing about the one that kit is developed on.
var major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    "The tests run on Node 24 (found " +
      process.version +
      "). Run: npm ci (without --ignore-scripts)"
  );
  process.exit(1);
}
