import { afterAll, beforeAll, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import { derivations } from "../../src/catalogue.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { saveDerivedThrough } from "../../src/ingest/control/derivation-record.ts";
import { closeUndo } from "../../src/ingest/control/undo-record.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { createUndo } from "../../src/ingest/undo.ts";
import { createWrite, type Write } from "../../src/ingest/write.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { liveFold, quick } from "./live-fold.ts";

const wallet = (number: number): string => `0x${String(number).padStart(40, "0")}`;
const HOLDER = wallet(1);
const TRADER = wallet(2);
const at = (day: number): number => Date.UTC(2026, 10, day, 12) / 1000;
const venueNow = (): number => at(23) * 1000;

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

let id = 0;
/** A purchase of ten shares; its block is its number. */
function bought(token: string, owner: string, day: number, usd: string): InsertRow & { readonly block_number: number } {
  id += 1;
  const row = { ...fillRow(id, at(day)), wallet: owner, token_id: token, shares: "10", usd, source: "chain_v2" };
  return { ...row, block_number: id };
}

/** Rolls back a block that no longer exists, as a stream does. */
async function rollBack(write: Write, block: number, day: number): Promise<void> {
  const [since, until] = [at(day) - 60, at(day) + 60].map((second) => new Date(second * 1000).toISOString());
  const allOf = { from: block, to: block, since: since ?? "", until: until ?? "" };
  const clock = systemClock;
  const undo = createUndo({ stream: "fills" }, { ...engines, clock, signal: new AbortController().signal });
  await write("fills", { table: polymarketFills, rows: [], allOf }, undo);
  await closeUndo(engines.db, { stream: "fills" }, new Date(clock.now()));
}

/** What the holder's open holdings were worth at the end of each day. */
async function values(): Promise<string> {
  const rows = await engines.store.rows<{ says: string }>(
    sql`SELECT concat(toString(day), ' ', toString(open_value_usd)) AS says FROM wallet_days FINAL WHERE wallet = unhex(${bind("String", HOLDER.slice(2))}) AND NOT is_gone ORDER BY day`,
  );
  return rows.map(({ says }) => says).join(", ");
}

test("holders of a token are valued at its earlier mark once the only trade of a past day is rolled back", async () => {
  const life = liveFold(engines, venueNow);
  const last = bought("7", TRADER, 21, "9");
  await life.write("fills", { table: polymarketFills, rows: [bought("7", HOLDER, 20, "5"), last] });
  await expect.poll(values).toBe("2026-11-20 5, 2026-11-21 9, 2026-11-22 9");
  await rollBack(life.write, last.block_number, 21);
  await expect.poll(values).toBe("2026-11-20 5, 2026-11-21 5, 2026-11-22 5");
  await life.stop();
});

test("so they are if the process ends after the mark is removed", async () => {
  const first = liveFold(engines, venueNow);
  const last = bought("8", TRADER, 21, "9");
  await first.write("fills", { table: polymarketFills, rows: [bought("8", HOLDER, 20, "5"), last] });
  await expect.poll(values).toBe("2026-11-20 10, 2026-11-21 14, 2026-11-22 14");
  await first.stop();
  // The rows so far were stored before this watermark, and more than a margin before the next start.
  await saveDerivedThrough(engines.db, walletFold.name, new Date(), new Date());
  const wanted = derivations.filter(({ name }) => name === "polymarket-candles" || name === "token-days");
  const ended = createDeriver({ ...engines, derivations: wanted, clock: systemClock });
  await rollBack(createWrite({ ...engines, deriver: ended, announceKnown: false }), last.block_number, 21);
  await ended.flush();
  const anHourLater = { ...quick, now: () => quick.now() + 3_600_000 };
  const second = liveFold(engines, venueNow, undefined, anHourLater);
  await expect.poll(values).toBe("2026-11-20 10, 2026-11-21 10, 2026-11-22 10");
  await second.stop();
});
