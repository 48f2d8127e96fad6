import { type Command, Option } from "commander";
import { logLevels } from "../../telemetry/index.ts";
import { fileDescriptor } from "../options.ts";

/** How a run is watched: the same for every command that carries one out. */
export function addWatchOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--events [fd]", "every event as a JSON line, on stdout or a file descriptor")
        .preset("1")
        .argParser(fileDescriptor),
    )
    .addOption(
      new Option(
        "--log-level <level>",
        "JSON log lines on stderr, in place of the display",
      ).choices(logLevels),
    )
    .option("--ci", "annotations for GitHub on stderr, beside the display")
    .option("--quiet", "says nothing but warnings and the end")
    .option("--verbose", "says every call, wait and process");
}
