import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import fc from "fast-check";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import type { Fold } from "../../src/definition/fold.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { closeUndo } from "../../src/ingest/control/undo-record.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { createFoldQueue } from "../../src/ingest/fold/fold-queue.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { createUndo } from "../../src/ingest/undo.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { emptyFold, foldRows } from "./fold-rows.ts";
import { sharesFold } from "./shares-fold.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 10, 1) / 1000;
const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) };
const hex = (value: number, bytes: number): string => `0x${value.toString(16).padStart(bytes * 2, "0")}`;

let engines: Awaited<ReturnType<typeof openEngines>>;
/** The venue's day, in days since 2026-11-01. */
let today = 5;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

const fill = (id: number, wallet: number, second: number, token = 1): InsertRow => ({
  ts: START + second,
  tx_hash: hex(id, 32),
  order_hash: hex(id, 32),
  wallet: hex(wallet * 0x1000_0000, 20),
  token_id: String(token),
  side: id % 3 === 0 ? "SELL" : "BUY",
  role: "taker",
  match_kind: "complementary",
  shares: String(1 + (id % 7)),
  usd: "1",
  fee_usd: "0",
  block_number: Math.floor(second / 2),
  log_index: 0,
  source: "chain_v2",
});

function open(maxPending?: number) {
  const deriver = createDeriver({
    ...engines,
    metrics: createIngestMetrics(new Registry()),
    derivations: [],
    folds: [sharesFold],
    clock: quick,
    venueNow: () => (START + today * DAY + 3600) * 1000,
    ...(maxPending === undefined ? {} : { maxPending }),
  });
  const stop = new AbortController();
  const running = deriver.run(stop.signal);
  return {
    deriver,
    write: createWrite({ ...engines, deriver, announceKnown: false }),
    settle: () => expect.poll(() => deriver.pending()["shares"], { timeout: 120_000, interval: 5 }).toBe(0),
    stop: async () => {
      stop.abort(new Error("stop"));
      await running;
      await deriver.flush();
    },
  };
}

const stored = () => foldRows(engines.store, sharesFold.into);

/** Recomputes everything from scratch. */
async function rebuilt(): Promise<Awaited<ReturnType<typeof stored>>> {
  await emptyFold(engines.store, sharesFold.into);
  await foldAll(
    {
      fold: sharesFold,
      store: engines.store,
      read: foldReader(engines.store),
      checkpoints: openCheckpoints(sharesFold),
    },
    {
      sinceMs: 0,
      closed: new Date((START + (today - 1) * DAY) * 1000).toISOString().slice(0, 10),
      signal: new AbortController().signal,
    },
  );
  return stored();
}

describe("a fold", () => {
  test("computes the days of stored rows, those between and those after", async () => {
    const { write, settle, stop } = open();
    await settle();
    await write("fills", { table: polymarketFills, rows: [fill(1, 1, 10), fill(2, 1, 2 * DAY), fill(3, 2, DAY)] });
    await settle();
    const rows = await stored();
    expect(rows["wallet_token_days"]).toHaveLength(3);
    expect(rows["wallet_days"]).toHaveLength(5 + 4);
    await stop();
    expect(await rebuilt()).toEqual(rows);
  });

  test("gives every holder a row when a day ends", async () => {
    const { settle, stop } = open();
    await settle();
    today += 2;
    await settle();
    const rows = await stored();
    expect(rows["wallet_days"]).toHaveLength(7 + 6);
    await stop();
    expect(await rebuilt()).toEqual(rows);
  });

  test("gives every holder a row when a day ends, also while rows keep arriving", async () => {
    const before = (await stored())["wallet_days"]?.length ?? 0;
    let come: (() => unknown) | undefined;
    const work: Fold["work"] = (...requested) => {
      come?.();
      return sharesFold.work(...requested);
    };
    const queue = createFoldQueue(
      { ...sharesFold, work },
      {
        ...engines,
        metrics: createIngestMetrics(new Registry()),
        clock: quick,
        venueNow: () => (START + today * DAY + 3600) * 1000,
        horizonOfSources: (now) => now,
      },
    );
    const { signal } = new AbortController();
    await queue.resume(signal);
    await queue.cycle(signal);
    // A new row arrives during each slice that is computed.
    come = () => queue.begin(polymarketFills)([fill(1, 1, 10)]);
    come();
    await queue.cycle(signal);
    expect(queue.size()).toBeGreaterThan(0);
    today += 1;
    await queue.cycle(signal);
    expect((await stored())["wallet_days"]).toHaveLength(before + 2);
  });

  test("is notified by a process that stores rows and leaves the fold to it", async () => {
    const { settle, stop } = open();
    await settle();
    const before = (await stored())["wallet_token_days"]?.length ?? 0;
    const other = createDeriver({
      ...engines,
      metrics: createIngestMetrics(new Registry()),
      derivations: [],
      folds: [sharesFold],
      handsFoldsOver: true,
      clock: quick,
    });
    const write = createWrite({ ...engines, deriver: other, announceKnown: true });
    await write("fills", { table: polymarketFills, rows: [fill(50, 5, 3 * DAY)] });
    await other.flush();
    const count = async () => (await stored())["wallet_token_days"]?.length ?? 0;
    await expect.poll(count, { interval: 100 }).toBe(before + 1);
    await stop();
  });

  test("processes at the next start what was rolled back just before the last shutdown", async () => {
    const first = open();
    await first.settle();
    await first.write("fills", { table: polymarketFills, rows: [fill(60, 6, 4 * DAY)] });
    await first.settle();
    const before = (await stored())["wallet_token_days"]?.length ?? 0;
    // After the stop a rollback is announced but not processed.
    await first.stop();
    await retract(first.write, 4 * DAY);
    await first.deriver.flush();
    expect((await stored())["wallet_token_days"]).toHaveLength(before);
    const next = open();
    await next.settle();
    const rows = await stored();
    expect(rows["wallet_token_days"]).toHaveLength(before - 1);
    await next.stop();
    expect(await rebuilt()).toEqual(rows);
  });

  test(
    "gives the same rows incrementally as by a rebuild, whatever arrives late, twice, or is rolled back",
    { timeout: 300_000 },
    async () => {
      const batch = fc.record({
        at: fc.array(
          fc.tuple(
            fc.integer({ min: 1, max: 9 }),
            fc.integer({ min: 0, max: 8 * DAY }),
            fc.integer({ min: 1, max: 3 }),
          ),
          { minLength: 1, maxLength: 8 },
        ),
        isRepeated: fc.boolean(),
        settles: fc.boolean(),
        takesBack: fc.boolean(),
        dayEnds: fc.boolean(),
        crashes: fc.boolean(),
      });
      let id = 100;
      await fc.assert(
        fc.asyncProperty(
          fc.array(batch, { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 1, max: 20 }),
          async (batches, most) => {
            let life = open(most);
            await life.settle();
            for (const { at, isRepeated, settles, takesBack, dayEnds, crashes } of batches) {
              const rows = at.map(([wallet, second, token]) => fill((id += 1), wallet, second, token));
              await life.write("fills", { table: polymarketFills, rows });
              if (isRepeated) await life.write("fills", { table: polymarketFills, rows });
              if (settles) await life.settle();
              if (takesBack) await retract(life.write, at[0]?.[1] ?? 0);
              if (dayEnds) today += 1;
              if (!crashes) continue;
              await life.stop();
              life = open(most);
            }
            await life.settle();
            const rows = await stored();
            await life.stop();
            expect(await rebuilt()).toEqual(rows);
          },
        ),
        // No shrinking: each case queries the engine, so it takes minutes, and rows of earlier cases would be missing.
        { numRuns: thoroughly(8, 2), endOnFailure: true },
      );
    },
  );
});

/** Rolls back the blocks around a second, as a reorganisation that leaves none of them. */
async function retract(write: ReturnType<typeof createWrite>, second: number): Promise<void> {
  const block = Math.floor(second / 2);
  const since = new Date((START + second - 60) * 1000).toISOString();
  const until = new Date((START + second + 60) * 1000).toISOString();
  const allOf = { from: Math.max(0, block - 20), to: block + 20, since, until };
  // Writes the undo record of the service, which the next start looks for.
  const undo = createUndo({ stream: "fills" }, { ...engines, clock: quick, signal: new AbortController().signal });
  await write("fills", { table: polymarketFills, rows: [], allOf }, undo);
  await closeUndo(engines.db, { stream: "fills" }, new Date(quick.now()));
}
