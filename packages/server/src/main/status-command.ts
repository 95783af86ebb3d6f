import { ACTIVE_PARTS } from "../definition/table-sql.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { defineCommand, type ArgsDef } from "citty";
import { connectors } from "../catalogue.ts";
import { CommandError, printResult, requireKnownArgs } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { sql } from "../definition/sql.ts";
import { findTrouble, type IngestStatus, findStatus } from "../ingest/status/read-status.ts";
import { findLastBackup } from "./backup/choose-backup.ts";
import { commandConfig, commandEngines } from "./command-engines.ts";
import type { Engines } from "./open-engines.ts";
import { statusText, type TableSize } from "./status-text.ts";

const WATCH_MS = 2000;
const CLEAR = "\u001b[H\u001b[2J";

const args: ArgsDef = {
  json: { type: "boolean", description: "Print one line of JSON" },
  watch: { type: "boolean", description: "Refresh every 2 seconds until Ctrl-C" },
};

export const statusCommand: AnyCommand = defineCommand({
  meta: {
    name: "status",
    description:
      "Show each stream (position, lag, rate, gaps, errors), each host's budget, each table; exits with 1 when a stream fails, lags or does not run",
  },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const isJson = context.args["json"] === true;
    const engines = await commandEngines(commandConfig());
    try {
      if (context.args["watch"] === true) await watch(engines, isJson);
      else {
        const trouble = await show(engines, isJson);
        if (trouble.length > 0) throw new CommandError(1, trouble.join("; "));
      }
    } finally {
      await engines.close();
    }
  },
});

async function watch(engines: Engines, isJson: boolean): Promise<void> {
  const { out } = commandContext();
  const signal = commandContext().signal();
  while (!signal.aborted && out.writable) {
    await show(engines, isJson, out.isTTY === true && !isJson ? CLEAR : "");
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function show(engines: Engines, isJson: boolean, before = ""): Promise<readonly string[]> {
  const now = Date.now();
  const { db } = engines.records;
  const status = await findStatus({ connectors, db, now, venueNow: now });
  const tables = await readTables(engines);
  const backedUp = (await findLastBackup(engines.records))?.toISOString() ?? null;
  const trouble = findTrouble(status);
  const text = `${before}${statusText(status, tables, trouble, backedUp)}`;
  printResult({ value: { ...statusValue(status), trouble, last_backup_at: backedUp, tables }, text }, isJson);
  return trouble;
}

function readTables({ store }: Engines): Promise<TableSize[]> {
  return store.rows<TableSize>(
    sql`SELECT table AS name, toString(sum(rows)) AS rows, toString(sum(bytes_on_disk)) AS bytes FROM ${ACTIVE_PARTS} GROUP BY table ORDER BY table`,
  );
}

/** The status as printed by `--json`. */
export function statusValue({ isRunning, streams, retention, leader, hosts, derivations }: IngestStatus) {
  return {
    running: isRunning,
    streams: streams.map((one) => ({
      name: one.name,
      title: one.title,
      state: one.state,
      note: one.note,
      cursor: one.cursor,
      reached: one.reached,
      since: one.since,
      lag_seconds: one.lagSeconds,
      behind: one.isBehind,
      rows_per_second: one.rowsPerSecond,
      rows_stored: one.rowsStored,
      errors: one.errors,
      last_error: one.lastError,
      last_error_at: one.lastErrorAt,
      open_gaps: one.gaps.fillable + one.gaps.unfillable,
      fillable_gaps: one.gaps.fillable,
      fillable_gap_seconds: one.gaps.fillableSeconds,
      unfillable_gaps: one.gaps.unfillable,
      unfillable_gap_seconds: one.gaps.unfillableSeconds,
      parked_pages: one.parked,
    })),
    retention: retention.map((one) => ({
      name: one.name,
      gone_before: one.gone_before?.toISOString() ?? null,
      rows: one.rows,
      ran_at: one.ran_at?.toISOString() ?? null,
      last_error: one.last_error,
    })),
    leader,
    hosts,
    derivations,
  };
}
