import { expect, test } from "vitest";
import { type Batch, definePull, type PullConnector } from "../../src/definition/connector.ts";
import type { FillableGap } from "../../src/ingest/control/fill-record.ts";
import { planWalks } from "../../src/ingest/gaps/plan-walks.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";

async function* nothing(): AsyncGenerator<Batch, void, void> {
  await Promise.resolve();
  yield { rows: [], cursor: {}, isCaughtUp: true };
}

const stream = (name: string, more: Partial<Omit<PullConnector, "kind">> = {}): PullConnector =>
  definePull({
    name,
    title: name,
    venue: "polymarket",
    host: { name, setting: "URL", limits: {}, share: 1 },
    tables: [polymarketFills],
    everySeconds: 60,
    canBackfill: true,
    pull: nothing,
    ...more,
  });

const chain = stream("chain");
const data = stream("data", { replacedBy: "chain" });
const gap = (of: string, more: Partial<FillableGap> = {}): FillableGap => ({
  id: 1,
  stream: of,
  from: 0,
  to: 1000,
  reason: "rows are missing",
  attempts: 0,
  tried: [],
  isParked: false,
  ...more,
});
const walkedBy = (one: FillableGap, ways: readonly PullConnector[]): string | undefined =>
  planWalks([one], () => ways).walks[0]?.by.name;

test("leaves a gap of the preferred stream to it despite failures, until it reports not having the rows", () => {
  for (const attempts of [0, 1, 3, 5, 30]) expect(walkedBy(gap("chain", { attempts }), [chain, data])).toBe("chain");
  expect(walkedBy(gap("chain", { attempts: 4, tried: ["chain"] }), [chain, data])).toBe("data");
  expect(planWalks([gap("chain", { tried: ["chain", "data"] })], () => [chain, data]).hopeless).toHaveLength(1);
});

test("fills a gap of the replaced stream from whichever stream does not fail", () => {
  const by = [0, 2, 3, 5, 6].map((attempts) => walkedBy(gap("data", { attempts }), [chain, data]));
  expect(by).toEqual(["chain", "chain", "data", "data", "chain"]);
});
