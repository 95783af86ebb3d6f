import { openCheckpointFolder, openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { sql } from "../../src/definition/sql.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import type { Write } from "../../src/ingest/write.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { emptyFold, foldRows } from "./fold-rows.ts";
import { liveFold } from "./live-fold.ts";
import { allNames, DAY, eventOf, START, type Event } from "./wallet-history.ts";

const DAYS = 6;
/** The venue's clock is an hour into the day after the last. */
let today = DAYS;
const venueNow = (): number => (START + today * DAY + 3600) * 1000;

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

/** Checkpoints survive a crash. */
const checkpoints = openCheckpointFolder();
const open = () => liveFold(engines, venueNow, checkpoints);

async function unnamed(): Promise<string | undefined> {
  const [row] = await engines.store.rows<{ n: string }>(
    sql`SELECT toString(count()) AS n FROM wallet_token_days FINAL WHERE condition_id = toFixedString('', 32) AND NOT is_gone`,
  );
  return row?.n;
}

async function rebuild(): Promise<number> {
  const engine = {
    fold: walletFold,
    store: engines.store,
    read: foldReader(engines.store),
    checkpoints: openCheckpoints(walletFold),
  };
  const closed = new Date((START + (today - 1) * DAY) * 1000).toISOString().slice(0, 10);
  return (await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal })).rows;
}

const stored = () => foldRows(engines.store, walletFold.into);

let id = 0;
const next = (): number => (id += 1);
const step = fc.record({
  events: fc.array(eventOf(next, DAYS + 2), { minLength: 1, maxLength: 12 }),
  isRepeated: fc.boolean(),
  dayEnds: fc.boolean(),
  crashes: fc.boolean(),
});

test(
  "wallets computed row by row equal those of a rebuild, and a repeated rebuild changes nothing",
  { timeout: 400_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
        let life = open();
        for (const { events, isRepeated, dayEnds, crashes } of steps) {
          await writeAll(life.write, events);
          if (isRepeated) await writeAll(life.write, events);
          if (dayEnds) today += 1;
          if (!crashes) continue;
          await life.stop();
          life = open();
        }
        await life.write("names", { table: polymarketTokens, rows: allNames() });
        await engines.store.run({ kind: "sql", text: "SYSTEM RELOAD DICTIONARY polymarket_token_info", values: [] });
        // Ends all days, since the current day is marked by the prices at its own times.
        today += DAYS;
        // Rows read before the names were known are written first.
        await life.settle();
        await expect.poll(unnamed, { interval: 100 }).toBe("0");
        await life.settle();
        const incremental = await stored();
        await life.stop();
        expect(incremental["wallet_token_days"]?.length).toBeGreaterThan(0);
        await emptyFold(engines.store, walletFold.into);
        expect(await rebuild()).toBeGreaterThan(0);
        expect(await stored()).toEqual(incremental);
        expect(await rebuild()).toBe(0);
      }),
      { numRuns: thoroughly(5, 1) },
    );
  },
);

async function writeAll(write: Write, events: readonly Event[]): Promise<void> {
  for (const [table, some] of Map.groupBy(events, (event) => event.table)) {
    // Only the last version of a changing row counts.
    const last = new Map(some.map(({ row }, place) => [row["gamma_id"] ?? place, row]));
    await write("history", { table, rows: [...last.values()] });
  }
}
