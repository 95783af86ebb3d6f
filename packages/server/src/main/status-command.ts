import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { printResult } from "../cli/print-result.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { requireKnownArgs } from "../cli/strict-args.ts";
import { textTable } from "../cli/text-table.ts";
import { readConfig } from "../config.ts";
import { sql } from "../definition/sql.ts";
import { openEngines, type Engines } from "./open-engines.ts";

const args: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };

export const statusCommand: AnyCommand = defineCommand({
  meta: {
    name: "status",
    description: "Each stream (where it is, lag, rows, gaps, errors) and each table (rows, bytes)",
  },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const engines = await openEngines(readConfig());
    try {
      const value = { streams: await readStreams(engines, Date.now()), tables: await readTables(engines) };
      const streams = value.streams.map((one) => [
        one.name,
        one.state,
        one.reached ?? "",
        one.lag_seconds === null ? "" : `${one.lag_seconds} s`,
        String(one.rows_stored),
        String(one.open_gaps),
        one.last_error ?? "",
      ]);
      const tables = value.tables.map((one) => [one.name, one.rows, one.bytes]);
      const text = `${textTable(["STREAM", "STATE", "COMPLETE TO", "LAG", "ROWS", "GAPS", "LAST ERROR"], streams)}\n\n${textTable(["TABLE", "ROWS", "BYTES ON DISK"], tables)}`;
      printResult({ value, text }, context.args["json"] === true);
    } finally {
      await engines.close();
    }
  },
});

async function readStreams({ records }: Engines, nowMs: number) {
  const streams = await records.db.selectFrom("streams").selectAll().orderBy("name").execute();
  const gaps = await records.db
    .selectFrom("gaps")
    .select(["stream", (select) => select.fn.countAll<number>().as("open")])
    .where("filled_at", "is", null)
    .groupBy("stream")
    .execute();
  const open = new Map(gaps.map((gap) => [gap.stream, Number(gap.open)]));
  return streams.map((stream) => ({
    name: stream.name,
    state: stream.state,
    reached: stream.reached === null ? null : new Date(stream.reached).toISOString(),
    lag_seconds:
      stream.reached === null ? null : Math.max(0, Math.round((nowMs - new Date(stream.reached).getTime()) / 1000)),
    rows_stored: Number(stream.rows_stored),
    open_gaps: open.get(stream.name) ?? 0,
    last_error: stream.last_error,
  }));
}

async function readTables({ store }: Engines) {
  return store.rows<{ name: string; rows: string; bytes: string }>(
    sql`SELECT table AS name, toString(sum(rows)) AS rows, toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`,
  );
}
