import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readLines } from "../../../packages/exchange/src/record/read-lines.ts";
import { polymarketEventsStream } from "../../../packages/server/src/connectors/polymarket/events.ts";
import { sql } from "../../../packages/server/src/definition/sql.ts";
import { polymarketEvents } from "../../../packages/server/src/tables/polymarket-events.ts";
import { countRows } from "../count-rows.ts";
import type { House } from "../open-house.ts";
import { runTurns } from "../run-turns.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import { Tally } from "../tally.ts";

const MLB = "polymarket/mlb/mlb_gamma_events_2020_2026.jsonl.gz";
const CAPTURE = "polymarket/captures/gamma_event.json";

/** 4,971 baseball events and one capture. No dataset gives events: the stored rows themselves are compared. */
export async function gammaEvents(house: House): Promise<readonly StreamCount[]> {
  await runTurns(house, polymarketEventsStream, { turns: 1 });
  const tally = new Tally();
  let given = 0;
  for await (const line of readLines(join(house.dir, MLB))) {
    const event = JSON.parse(line) as Record<string, unknown>;
    given += 1;
    tally.add(keyOf(event["event_id"], event["slug"], event["title"], event["volume"], event["closed"]), true);
  }
  const captured = JSON.parse(await readFile(join(house.dir, CAPTURE), "utf8")) as Record<string, unknown>[];
  for (const event of captured) {
    given += 1;
    tally.add(keyOf(event["id"], event["slug"], event["title"], event["volume"], event["closed"]), true);
  }
  const rows = house.store.rows<Record<string, unknown>>(
    sql`SELECT event_id, slug, title, volume, closed FROM ${polymarketEvents} FINAL`,
  );
  for (const row of await rows)
    tally.answer(keyOf(row["event_id"], row["slug"], row["title"], row["volume"], row["closed"]));
  const stored = await countRows(house, polymarketEvents);
  const note = "no dataset gives events: rows read from the store";
  return [{ ...countOf("Gamma events", tally, { in: given, stored, note }), answered: null }];
}

function keyOf(id: unknown, slug: unknown, title: unknown, volume: unknown, closed: unknown): string {
  return JSON.stringify([String(id), slug, title, Math.round(Number(volume) * 100), closed]);
}
