import { availableParallelism } from "node:os";
import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { dayDerivations } from "../catalogue/day-derivations.ts";
import { derivations } from "../catalogue/derivations.ts";
import { folds } from "../catalogue/folds.ts";
import { refreshes } from "../catalogue/refreshes.ts";
import { CommandError } from "../cli/command-error.ts";
import { ground } from "../cli/ground.ts";
import { printResult } from "../cli/print-result.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { textTable } from "../cli/text-table.ts";
import { systemClock } from "../ingest/clock.ts";
import { findLive } from "../ingest/control/live-record.ts";
import { besideOwners } from "./beside-owners.ts";
import { deriveAll } from "./derive/derive-all.ts";
import { madeBy, type DerivedPart } from "./derive/derived-part.ts";
import { showParts } from "./derive/show-parts.ts";
import { waitForRoom } from "./derive/wait-for-room.ts";
import { commandConfig, commandEngines, commandLog } from "./command-engines.ts";
import type { Engines } from "./open-engines.ts";

const args: ArgsDef = {
  rebuild: {
    type: "boolean",
    description:
      "Work everything out again from nothing; what is right already stays. Without it a run that was cut off goes on",
  },
  table: { type: "string", description: "Only what makes this table, e.g. wallet_days" },
  "at-once": { type: "string", description: "How many tables are worked out at a time; as many as cores, at most 4" },
  json: { type: "boolean", description: "Print one line of JSON" },
};

const MOST_AT_ONCE = 16;

export const deriveCommand: AnyCommand = defineCommand({
  meta: { name: "derive", description: "Work out derived tables: what is not worked out yet, or all of it" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const config = commandConfig();
    const parts = chosen(context.args["table"]);
    const atOnce = readAtOnce(context.args["at-once"]);
    const engines = await commandEngines(config, { isWriter: true });
    const shown = showParts(ground().err, systemClock.now);
    try {
      await requireIdle(engines);
      const log = commandLog(config);
      const isWhole = context.args["rebuild"] === true;
      const run = { db: engines.records.db, clock: systemClock, log, signal: ground().signal() };
      const store = waitForRoom(engines.store, run);
      // Seen as a guest: no restore, copy or migration works there meanwhile.
      const done = await besideOwners(config, engines, run, () =>
        deriveAll(parts, isWhole, { ...run, store, atOnce, onShown: shown.show }),
      );
      shown.stop();
      const rows = done.map(({ name, seconds, made }) => [name, made, seconds.toFixed(1)]);
      printResult(
        { value: { derived: done }, text: textTable(["WORKED OUT", "MADE", "SECONDS"], rows) },
        context.args["json"] === true,
      );
    } finally {
      shown.stop();
      await engines.close();
    }
  },
});

function readAtOnce(given: unknown): number {
  if (given === undefined) return Math.min(4, availableParallelism());
  const found = Number(given);
  if (Number.isInteger(found) && found >= 1 && found <= MOST_AT_ONCE) return found;
  throw new CommandError(3, `--at-once ${String(given)}: give a whole number from 1 to ${MOST_AT_ONCE}`);
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
  throw new CommandError(3, `nothing works out ${String(table)}; there are ${names}`);
}

const tablesOf = (part: DerivedPart): string[] => madeBy(part).map(({ name }) => name);

/** Two processes that work the same rows out would write over each other. */
async function requireIdle({ records }: Engines): Promise<void> {
  const live = await findLive(records.db, new Date());
  if (live.length > 0)
    throw new CommandError(1, "the service is gathering: it works out what is stored; stop it first");
}
