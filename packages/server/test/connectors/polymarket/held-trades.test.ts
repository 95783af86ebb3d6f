import { expect, it } from "vitest";
import type { DataTrade } from "../../../src/connectors/polymarket/data/trades-v2-wire.ts";
import { followTrades } from "../../../src/connectors/polymarket/data/follow-trades.ts";
import { TakerRows } from "../../../src/connectors/polymarket/data/to-data-fills.ts";
import { UnreadTrades } from "../../../src/connectors/polymarket/data/trades-v2-pages.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { collect } from "./memory-feed.ts";

const START = 1_790_000_000;

function trade(seconds: number, wallet: string, side: "BUY" | "SELL"): DataTrade {
  return {
    wallet: `0x${wallet.repeat(40)}`,
    side,
    token_id: "7",
    condition_id: `0x${"c".repeat(64)}`,
    size: "5",
    price: "0.5",
    seconds,
    slug: "will-it",
    outcome: "Yes",
    outcome_index: 0,
    tx_hash: `0x${seconds.toString(16).padStart(64, "0")}`,
  };
}

async function* one(rows: readonly DataTrade[]): AsyncGenerator<readonly DataTrade[]> {
  yield rows;
}

async function follow(
  cursor: Cursor | undefined,
  full: readonly DataTrade[],
  takers: readonly DataTrade[],
  now = START + 1000,
) {
  const following = { pages: one(full), takers: new TakerRows(one(takers)), now: now * 1000 };
  const taken = await collect(followTrades({ ...following, cursor, unread: new UnreadTrades() }));
  const fills = taken.of(polymarketFills).map(({ ts, role }) => `${Date.parse(String(ts)) / 1000 - START} ${role}`);
  return { fills, cursor: taken.cursor, reached: taken.batches.at(-1)?.reached };
}

const takers = [300, 200, 100].map((at) => trade(START + at, "a", "BUY"));
const full = takers.flatMap((taker) => [taker, trade(taker.seconds, "b", "SELL")]);
const lacking = takers.filter(({ seconds }) => seconds !== START + 200);
const before = { newest: START + 50, seen: START + 50 };

it("does not advance past a transaction without its taker's fill, and stores it once the fill is there", async () => {
  const first = await follow(before, full, lacking);
  expect(first.fills.toSorted()).toEqual(["100 maker", "100 taker"]);
  expect(first.cursor).toEqual({ newest: START + 199, seen: START + 300, held: 1 });
  expect(Date.parse(String(first.reached))).toBe((START + 199) * 1000);
  const second = await follow(first.cursor, full, takers);
  expect(second.fills.toSorted()).toEqual(["200 maker", "200 taker", "300 maker", "300 taker"]);
  expect(second.cursor).toEqual({ newest: START + 300, seen: START + 300 });
});

it("stores such a transaction with unknown roles after eight cycles", async () => {
  let cursor: Cursor | undefined = before;
  for (let cycle = 0; cycle < 8; cycle += 1) ({ cursor } = await follow(cursor, full, lacking));
  expect(cursor).toEqual({ newest: START + 199, seen: START + 300, held: 8 });
  const last = await follow(cursor, full, lacking);
  expect(last.fills.toSorted()).toEqual(["200 unknown", "200 unknown", "300 maker", "300 taker"]);
  expect(last.cursor).toEqual({ newest: START + 300, seen: START + 300 });
});

it("does not pass this machine's time because of a fill stamped ahead", async () => {
  const ahead = trade(START + 3600, "a", "BUY");
  const first = await follow(before, [ahead, ...full], [ahead, ...takers], START + 302);
  expect(first.cursor).toEqual({ newest: START + 299, seen: START + 3600, seenPast: START + 300 });
  const newer = [ahead, trade(START + 303, "a", "BUY")];
  const [laterFull, laterTakers] = [newer.concat(full), newer.concat(takers)];
  for (const cursor of [first.cursor, { newest: START + 3599, seen: START + 3600 }]) {
    const second = await follow(cursor, laterFull, laterTakers, START + 306);
    expect(second.fills).toContain("3600 taker");
    const third = await follow(second.cursor, laterFull, laterTakers, START + 310);
    expect(third.fills).toContain("303 taker");
  }
});

it("waits for the newest second, and for a feed that stops, while a fill is stamped ahead", async () => {
  const ahead = trade(START + 3600, "a", "BUY");
  const [stoppedFull, stoppedTakers] = [
    [ahead, ...full],
    [ahead, ...takers],
  ];
  const first = await follow(before, stoppedFull, stoppedTakers, START + 302);
  expect(first.fills).not.toContain("300 taker");
  expect(Date.parse(String(first.reached))).toBe((START + 299) * 1000);
  const second = await follow(first.cursor, stoppedFull, stoppedTakers, START + 400);
  expect(second.fills).toContain("300 taker");
  expect(Date.parse(String(second.reached))).toBe((START + 300) * 1000);
  const late = [330, 310].map((at) => trade(START + at, "a", "BUY"));
  const third = await follow(second.cursor, [ahead, ...late, ...full], [ahead, ...late, ...takers], START + 404);
  expect(third.fills).toContain("310 taker");
});
