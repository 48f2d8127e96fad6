#!/usr/bin/env node
"use strict";
// Syntax that every Node parses: an old one must get a sentence, not a stack.
/* oxlint-disable no-var */
var fs = require("fs");
var path = require("path");

var needed = [22, 19];
var found = process.versions.node.split(".").map(Number);
var entry = path.join(__dirname, "..", "dist", "cli.js");

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  process.stderr.write(
    "kit needs Node " + needed.join(".") + " or newer; this is " + process.version + ".\n"
  );
  process.exitCode = 2;
} else if (!fs.existsSync(entry)) {
  process.stderr.write("kit is not built: " + entry + " is missing. next: npm run build\n");
  process.exitCode = 5;
} else {
  var module_ = require("module");
  if (module_.enableCompileCache) module_.enableCompileCache();
  require(entry).start();
}
