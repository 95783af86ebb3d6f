import { availableParallelism } from "node:os";
import { dayDerivations, derivations, folds, refreshes } from "../catalogue.ts";
import { command, CommandError } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import { textTable } from "../cli/text-table.ts";
import { systemClock } from "../ingest/clock.ts";
import { commandConfig, commandEngines, commandLog } from "./command-engines.ts";
import { asLeader } from "./as-leader.ts";
import { deriveAll } from "./derive/derive-all.ts";
import { madeBy, type DerivedPart } from "./derive/derive-buckets.ts";
import { showParts } from "./derive/show-parts.ts";
import { waitForRoom } from "./derive/wait-for-room.ts";

const MAX_AT_ONCE = 16;

export const deriveCommand = command({
  name: "derive",
  description: "Compute derived tables: what is missing, or everything",
  args: {
    rebuild: {
      type: "boolean",
      description: "Recompute everything from scratch; correct rows stay. Without it an interrupted run continues",
    },
    table: { type: "string", description: "Only what fills this table, e.g. wallet_days" },
    "at-once": {
      type: "string",
      description: "Tables computed at once; default: one more than there are cores, at most 4",
    },
  },
  run: async (args, print) => {
    const config = commandConfig();
    const parts = chosen(args["table"]);
    const atOnce = readAtOnce(args["at-once"]);
    const engines = await commandEngines(config, { isWriter: true });
    const shown = showParts(commandContext().err, systemClock.now);
    try {
      const log = commandLog(config);
      const isWhole = args["rebuild"] === true;
      const how = { log, signal: commandContext().signal(), inPlace: "of derivations" } as const;
      const done = await asLeader(config, engines, how, ({ store, records, signal }) => {
        const run = { db: records.db, checkpoints: engines.checkpoints, clock: systemClock, log, signal };
        return deriveAll(parts, isWhole, { ...run, store: waitForRoom(store, run), atOnce, onShown: shown.show });
      });
      shown.stop();
      const rows = done.map(({ name, seconds, made }) => [name, made, seconds.toFixed(1)]);
      print({ value: { derived: done }, text: textTable(["DERIVED", "MADE", "SECONDS"], rows) });
    } finally {
      shown.stop();
      await engines.close();
    }
  },
});

function readAtOnce(given: unknown): number {
  // One of them waits for the engine: with two at a time a quarter of two cores was idle.
  if (given === undefined) return Math.min(4, availableParallelism() + 1);
  const found = Number(given);
  if (Number.isInteger(found) && found >= 1 && found <= MAX_AT_ONCE) return found;
  throw new CommandError(2, `--at-once is ${String(given)}: expected a whole number from 1 to ${MAX_AT_ONCE}`);
}

function chosen(table: unknown): readonly DerivedPart[] {
  const all: DerivedPart[] = [
    ...derivations.map((derivation) => ({ kind: "buckets" as const, derivation })),
    ...folds.map((fold) => ({ kind: "fold" as const, fold })),
    ...dayDerivations.map((derivation) => ({ kind: "days" as const, derivation })),
    ...refreshes.map((refresh) => ({ kind: "refresh" as const, refresh })),
  ];
  if (table === undefined) return all;
  const found = all.filter((part) => tablesOf(part).includes(String(table)));
  if (found.length > 0) return found;
  const names = [...new Set(all.flatMap(tablesOf))].toSorted().join(", ");
  throw new CommandError(3, `nothing derives ${String(table)}; there are ${names}`);
}

const tablesOf = (part: DerivedPart): string[] => madeBy(part).map(({ name }) => name);
