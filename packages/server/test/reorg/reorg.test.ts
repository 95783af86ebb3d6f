import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { polymarketTradesChainStream } from "../../src/connectors/polymarket/trades-chain.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { gather } from "./gather.ts";
import { PlayChain, START_SECONDS } from "./play-chain.ts";
import { candleCounts, emptyStore, storedRows } from "./stored-rows.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());
beforeEach(async () => {
  await emptyStore(engines.store);
  await engines.db.deleteFrom("gaps").execute();
});

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const swapped = (txs: readonly number[]): readonly number[] => txs.toReversed();

async function expectCanonical(chain: PlayChain, deriver: ReturnType<typeof gather>["deriver"]): Promise<void> {
  expect(await storedRows(engines.store)).toEqual(chain.truth());
  await deriver.flush();
  const candles = await candleCounts(engines.store);
  expect(candles.stored).toEqual(candles.true);
}

describe("rolls back a reorganisation", () => {
  for (const depth of [1, 5, 32, 40, 150]) {
    test(`of ${depth} blocks with changed positions and times, and moved and dropped transactions`, async () => {
      const chain = new PlayChain(300);
      const { turn, deriver } = gather(engines);
      await turn(chain);
      await expectCanonical(chain, deriver);
      let carried: readonly number[] = [];
      chain.reorg(
        depth,
        (txs, index) => {
          const kept = [...carried, ...swapped(txs)];
          carried = index % 3 === 0 ? txs.slice(0, 1) : [];
          return kept.filter((tx) => !carried.includes(tx) && tx % 7 !== 0);
        },
        depth === 5 ? 60 : 0,
      );
      chain.grow(1);
      await turn(chain);
      await turn(chain);
      await expectCanonical(chain, deriver);
    });
  }

  test("to a chain that is not longer, or shorter for a while", async () => {
    const chain = new PlayChain(100);
    const { turn, deriver } = gather(engines);
    await turn(chain);
    chain.reorg(4, swapped);
    await turn(chain);
    await expectCanonical(chain, deriver);
    chain.reorg(4, () => []);
    chain.blocks.splice(-2);
    await turn(chain);
    await expectCanonical(chain, deriver);
    chain.grow(3);
    await turn(chain);
    await expectCanonical(chain, deriver);
  });

  test("of a transaction that dropped out and returns blocks later, with its minute's candle", async () => {
    const chain = new PlayChain(60);
    const { turn, deriver } = gather(engines);
    await turn(chain);
    const left = chain.reorg(1, () => []);
    await turn(chain);
    await expectCanonical(chain, deriver);
    chain.grow(40, [], 0);
    await turn(chain);
    chain.grow(1, left, 0);
    await turn(chain);
    await expectCanonical(chain, deriver);
  });

  test("that is interrupted by a kill, with the rollback recorded in the cursor beforehand", async () => {
    const chain = new PlayChain(80);
    const before = chain.blocks;
    const broken = gather(engines, {
      onSwap: async () => {
        throw new Error("killed");
      },
    });
    await broken.turn(chain);
    chain.reorg(6, () => []);
    await expect(broken.turn(chain)).rejects.toThrow("killed");
    expect(broken.cursor()).toMatchObject({ block: before.length - 7, stored: before.length - 1 });
  });

  test("during a backfill that reads near the head", async () => {
    const chain = new PlayChain(200);
    let calls = 0;
    const { backfill, deriver } = gather(engines, {
      onCall: () => {
        calls += 1;
        if (calls === 120) chain.reorg(20, swapped, 1);
      },
    });
    await backfill(chain, { from: iso(START_SECONDS), to: iso(START_SECONDS + 4000) });
    expect(calls).toBeGreaterThan(120);
    await expectCanonical(chain, deriver);
  });
});

test("coverage reports a gap during a rollback, and none afterwards", async () => {
  const chain = new PlayChain(50);
  const seen: string[][] = [];
  const coverage = () =>
    createCoverage({ connectors: [polymarketTradesChainStream], derivations: [], db: engines.db, clock: systemClock })(
      ["polymarket_fills"],
      {},
    );
  const { turn } = gather(engines, {
    onSwap: async () => void seen.push((await coverage()).gaps.map(({ reason }) => reason)),
  });
  await turn(chain);
  chain.reorg(3, () => []);
  await turn(chain);
  expect(seen).toEqual([[expect.stringContaining("rows of blocks that are no more are being taken back")]]);
  expect((await coverage()).gaps).toEqual([]);
});

test("reports a gap if the chain differs entirely from the one read before", async () => {
  const chain = new PlayChain(80);
  const { turn, deriver } = gather(engines);
  await turn(chain);
  chain.reorg(80, swapped);
  chain.blocks[0] = { ...new PlayChain(1).blocks[0]!, hash: `0x${"ab".repeat(32)}` };
  await turn(chain);
  const gaps = await engines.db.selectFrom("gaps").select(["reason", "filled_at"]).orderBy("id").execute();
  expect(gaps[0]).toEqual({
    reason: "the chain differs from the one read before, from before block 0 on",
    filled_at: null,
  });
  await expectCanonical(chain, deriver);
});

test("any sequence of growth and reorganisations yields the canonical chain", { timeout: 300_000 }, async () => {
  const grow = fc.record({ kind: fc.constant("grow" as const), count: fc.integer({ min: 1, max: 30 }) });
  const reorg = fc.record({
    kind: fc.constant("reorg" as const),
    depth: fc.integer({ min: 1, max: 40 }),
    drop: fc.integer({ min: 2, max: 9 }),
    late: fc.integer({ min: 0, max: 3 }),
    back: fc.boolean(),
  });
  const read = fc.constant({ kind: "read" as const });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(grow, reorg, read), { minLength: 3, maxLength: 12 }), async (steps) => {
      await emptyStore(engines.store);
      const chain = new PlayChain(20);
      const { turn, deriver } = gather(engines);
      let gone: readonly number[] = [];
      await turn(chain);
      for (const step of steps) {
        if (step.kind === "read") await turn(chain);
        else if (step.kind === "grow") {
          chain.grow(step.count, gone);
          gone = [];
        } else {
          const left = chain.reorg(step.depth, (txs) => swapped(txs).filter((tx) => tx % step.drop !== 0), step.late);
          if (step.back) gone = left.filter((tx) => tx % step.drop === 0);
        }
      }
      await turn(chain);
      await turn(chain);
      await expectCanonical(chain, deriver);
    }),
    { numRuns: thoroughly(12, 6) },
  );
});
