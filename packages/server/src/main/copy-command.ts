import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { CommandError } from "../cli/command-error.ts";
import { printResult } from "../cli/print-result.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { stopSignal } from "../cli/stop-signal.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { readConfig } from "../config.ts";
import { isEqual } from "../store/copy/compare.ts";
import { copySides } from "./copy/copy-sides.ts";
import { copiedText, copiedValue } from "./copy/copied-text.ts";
import { openMoveBar } from "./copy/move-bar.ts";
import { openSide, requireIdle, withLockedSide } from "./copy/open-side.ts";
import { readTarget, rowsPlace } from "./copy/read-target.ts";
import { readWhole } from "./copy/read-whole.ts";

const PASSES = 3;
const MEGABYTE = 1_000_000;

const args: ArgsDef = {
  to: {
    type: "string",
    description: "File with the target's settings, NAME=value lines as the service takes them",
    required: true,
  },
  verify: { type: "boolean", description: "Only compare the rows, bucket by bucket; write nothing" },
  overwrite: { type: "boolean", description: "The target holds something: make it equal, take away what only it has" },
  rate: { type: "string", description: "Most megabytes a second; as fast as one thread of each engine without it" },
  passes: { type: "string", description: "How often what differs is made anew and compared again (3)" },
  json: { type: "boolean", description: "Print one line of JSON" },
};

export const copyCommand: AnyCommand = defineCommand({
  meta: {
    name: "copy",
    description:
      "Copy the store and the control records that the settings name to another place, embedded or a cluster, while the service goes on; ends with 4 where they differ in the end",
  },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const [from, to] = [readConfig(), readTarget(String(context.args["to"]))];
    if (rowsPlace(from) === rowsPlace(to))
      throw new CommandError(2, `source and target keep their rows in the same place: ${rowsPlace(to)}`);
    const rate = readWhole("rate", context.args["rate"], 100_000);
    const passes = readWhole("passes", context.args["passes"], 100) ?? PASSES;
    const began = performance.now();
    const bar = openMoveBar();
    const isOnlyCompared = context.args["verify"] === true;
    const wishes = {
      source: from,
      target: to,
      passes,
      isOnlyCompared,
      mayOverwrite: context.args["overwrite"] === true,
      bytesPerSecond: rate === undefined ? undefined : rate * MEGABYTE,
      onProgress: bar.onProgress,
      onBytes: bar.onBytes,
    };
    const source = await openSide(from);
    try {
      const copied = await withLockedSide(to, { isAnyStore: true }, async (target) => {
        if (!isOnlyCompared) await requireIdle(target);
        return await copySides(source, target, { ...wishes, signal: stopSignal() });
      });
      bar.stop();
      const moved = { seconds: (performance.now() - began) / 1000, bytes: bar.bytes() };
      printResult(
        { value: copiedValue(copied, moved), text: copiedText(copied, moved) },
        context.args["json"] === true,
      );
      const other = copied.compared.filter((one) => !isEqual(one)).map(({ table }) => table.name);
      if (other.length > 0)
        throw new CommandError(
          4,
          `not the same: ${other.join(", ")}; while something gathers that is so: stop gathering and run it again`,
        );
    } finally {
      bar.stop();
      await source.close();
    }
  },
});
