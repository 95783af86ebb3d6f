import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { servePolymarket } from "../../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { FillLeg, MatchHappening } from "../../../../exchange/src/world/contract.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { bookSession, resyncBooks } from "../../../src/connectors/polymarket/book/book-session.ts";
import { polymarketEventsStream } from "../../../src/connectors/polymarket/events.ts";
import { polymarketMarketsStream } from "../../../src/connectors/polymarket/markets.ts";
import { polymarketMissingMarketsStream } from "../../../src/connectors/polymarket/missing-markets.ts";
import { polymarketTradesChainStream } from "../../../src/connectors/polymarket/trades-chain.ts";
import { polymarketTradesDataStream } from "../../../src/connectors/polymarket/trades-data.ts";
import type { PullConnector, PullOptions } from "../../../src/definition/connector.ts";
import type { Decoded } from "../../../src/definition/session.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { bookEvents } from "../../../src/tables/book-events.ts";
import { polymarketEvents } from "../../../src/tables/polymarket-events.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../../src/tables/polymarket-markets.ts";
import { polymarketPrints } from "../../../src/tables/polymarket-prints.ts";
import { polymarketTokens } from "../../../src/tables/polymarket-tokens.ts";
import { openMigratedStore } from "../../fixtures/open-migrated-store.ts";
import { httpFeed } from "./http-feed.ts";
import { type Collected, collect, pullOptions } from "./memory-feed.ts";

const FROM = Date.UTC(2026, 10, 18);
const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "almanac-polymarket-"));

let now = FROM + DAY;
let world: World;
let served: Awaited<ReturnType<typeof servePolymarket>>;
let store: Awaited<ReturnType<typeof openMigratedStore>>;

beforeAll(async () => {
  const small = { events: 10, wallets: 150, activity: 0.15, kalshi_markets: 2 };
  world = createWorld({ seed: 11, clock: () => now, from_ms: FROM, days: 1, ...small });
  served = await servePolymarket({ world });
  store = await openMigratedStore(folder);
});

afterAll(async () => {
  await store.close();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const feedOf = (name: "gamma" | "clob" | "data" | "rpc") => httpFeed(served.urls[name]);
const optionsFor = (name: "gamma" | "data" | "rpc", more: Partial<PullOptions> = {}): PullOptions =>
  pullOptions(feedOf(name), { now: () => now, also: { "polymarket-gamma": feedOf("gamma") }, ...more });

async function put(taken: Collected): Promise<{ stored: number; known: number }> {
  const sum = { stored: 0, known: 0 };
  for (const { table, rows, mode } of taken.batches.flatMap((batch) => batch.rows)) {
    const inserted = await store.insert(table, rows, mode);
    sum.stored += inserted.stored;
    sum.known += inserted.known;
  }
  return sum;
}

const take = (stream: PullConnector, options: PullOptions) => collect(stream.pull(options));
const micro = (text: unknown): number => Math.round(Number(text) * 1e6);
const legKey = (leg: FillLeg, match: MatchHappening): string => `${match.tx_hash}_${leg.order_hash}`;

describe("the paper Polymarket", () => {
  it("chain: reads every fill of the world once, to the unit", async () => {
    const range = { from: new Date(FROM - 3_600_000).toISOString(), to: new Date(now - 60_000).toISOString() };
    const taken = await take(polymarketTradesChainStream, optionsFor("rpc", { range }));
    const rows = taken.of(polymarketFills);
    const truth = new Map<string, { leg: FillLeg; match: MatchHappening }>();
    for (const match of world.polymarket.matches) {
      if (match.block_ms > Date.parse(range.to)) continue;
      for (const leg of [...match.makers, match.taker]) truth.set(legKey(leg, match), { leg, match });
    }
    expect(truth.size).toBeGreaterThan(1000);
    expect(new Set([...truth.values()].map(({ match }) => match.exchange_version))).toEqual(new Set(["V1", "V2"]));
    expect(rows).toHaveLength(truth.size);
    for (const row of rows) {
      const found = truth.get(`${String(row["tx_hash"])}_${String(row["order_hash"])}`);
      if (found === undefined) throw new Error("a fill the world does not know");
      const { leg, match } = found;
      const kinds = new Set(match.makers.map(({ kind }) => kind));
      expect(row).toMatchObject({
        wallet: leg.wallet,
        token_id: leg.token_id,
        side: leg.side,
        role: leg.role,
        match_kind: leg.role === "taker" && kinds.size > 1 ? "complementary" : leg.kind,
        block_number: match.block_number,
        log_index: leg.log_index,
        source: match.exchange_version === "V1" ? "chain_v1" : "chain_v2",
      });
      const figures = [micro(row["shares"]), micro(row["usd"]), micro(row["fee_usd"]), Date.parse(String(row["ts"]))];
      expect(figures).toEqual([leg.shares_micro, leg.usd_micro, leg.fee_micro, match.block_ms]);
    }
    expect(await put(taken)).toEqual({ stored: truth.size, known: 0 });
    expect(await put(taken)).toEqual({ stored: 0, known: truth.size });
  });

  it("chain: follows the head from cycle to cycle", async () => {
    const first = await take(polymarketTradesChainStream, optionsFor("rpc"));
    now += 600_000;
    world.advanceTo(now);
    const second = await take(polymarketTradesChainStream, optionsFor("rpc", { cursor: first.cursor }));
    const from = world.chain.head() - 3;
    const seen = new Set(
      [...first.of(polymarketFills), ...second.of(polymarketFills)].map(
        (row) => `${String(row["tx_hash"])}_${String(row["order_hash"])}`,
      ),
    );
    const since = Date.parse(String(first.batches[0]?.since));
    const due = world.polymarket.matches.filter((match) => match.block_ms >= since && match.block_number <= from);
    expect(due.length).toBeGreaterThan(10);
    for (const match of due)
      for (const leg of [...match.makers, match.taker]) expect(seen.has(legKey(leg, match))).toBe(true);
  });

  it("Data API v2: reads every fill once with its role, live and by backfill", async () => {
    const start = (world.polymarket.matches[0]?.block_ms ?? 0) / 1000;
    const first = await take(
      polymarketTradesDataStream,
      optionsFor("data", { cursor: { newest: start, seen: start } }),
    );
    now += 10_000;
    const second = await take(polymarketTradesDataStream, optionsFor("data", { cursor: first.cursor }));
    const rows = [...first.of(polymarketFills), ...second.of(polymarketFills)];
    const until = Number(second.cursor?.["newest"]) * 1000;
    checkHashless(new Map(rows.map((row) => [`${String(row["tx_hash"])}_${String(row["order_hash"])}`, row])), until);
    expect(first.batches.at(-1)?.gap).toBeUndefined();
    const range = { from: new Date(FROM).toISOString(), to: new Date(until).toISOString() };
    const past = await take(polymarketTradesDataStream, optionsFor("data", { range }));
    const filled = new Map(
      past.of(polymarketFills).map((row) => [`${String(row["tx_hash"])}_${String(row["order_hash"])}`, row]),
    );
    expect(filled.size).toBe(past.of(polymarketFills).length);
    checkHashless(filled, until);
    for (const row of rows) expect(filled.has(`${String(row["tx_hash"])}_${String(row["order_hash"])}`)).toBe(true);
  });

  it("Gamma: reads every market and event as the world has it, unchanged by a second walk", async () => {
    const taken = await take(polymarketMarketsStream, optionsFor("gamma"));
    const rows = new Map(taken.of(polymarketMarkets).map((row) => [row["condition_id"], row]));
    const { markets } = world.polymarket;
    expect(rows.size).toBe(markets.length);
    for (const market of markets) {
      const row = rows.get(market.condition_id);
      expect(row).toMatchObject({
        gamma_id: market.id,
        slug: market.slug,
        event_slug: market.event.slug,
        closed: market.closed,
        side_a_token_id: market.token_ids[0],
        side_b_token_id: market.token_ids[1],
        winning_outcome: winnerOf(market),
        neg_risk: market.neg_risk,
      });
      expect(micro(row?.["volume_total"])).toBe(market.volume_micro);
      expect(micro(row?.["fee_rate"] ?? 0)).toBe(market.fee_rate_e4 * 100);
      expect(row?.["category"]).not.toBe("");
    }
    await put(taken);
    const [count] = await store.rows<{ n: string }>({
      kind: "sql",
      text: "SELECT toString(count()) AS n FROM polymarket_markets FINAL",
      values: [],
    });
    expect(Number(count?.n)).toBe(markets.length);
    const again = await put(taken);
    expect(again.stored).toBe(0);
    const events = await take(polymarketEventsStream, optionsFor("gamma"));
    expect(new Set(events.of(polymarketEvents).map((row) => row["event_id"])).size).toBe(
      world.polymarket.events.length,
    );
    await put(events);
  });

  it("Gamma: looks up the markets of tokens seen in trades first", async () => {
    const tokens = world.polymarket.markets.slice(0, 120).map((market) => market.token_ids[1]);
    const taken = await take(polymarketMissingMarketsStream, optionsFor("gamma", { known: async () => tokens }));
    const found = new Set(taken.of(polymarketTokens).map((row) => row["token_id"]));
    for (const token of tokens) expect(found.has(token)).toBe(true);
  });

  it("websocket: books rebuilt from our rows equal the world's, without a gap", async () => {
    const open = world.polymarket.markets.filter((market) => market.accepting_orders).slice(0, 90);
    const session = bookSession();
    const decoded: Decoded[] = [];
    const frames: string[] = [];
    const socket = new WebSocket(served.urls.ws);
    socket.on("message", (data) => {
      frames.push(String(data));
      decoded.push(session.decode(frames.at(-1) ?? "", now));
    });
    await new Promise((resolve) => socket.once("open", resolve));
    for (const frame of session.subscribe(open.flatMap((market) => market.token_ids))) socket.send(frame);
    await waitFor(() => decoded.length > 0);
    for (let step = 0; step < 240; step += 1) {
      now += 60_000;
      world.advanceTo(now);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.send("PING");
    const before = decoded.length;
    await waitFor(() => decoded.length > before);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.close();
    const reasons = decoded.flatMap((one) => one.broken ?? []).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason !== "the tick size changed")).toEqual([]);
    noticesLostFrames(
      frames,
      open.flatMap((market) => market.token_ids),
    );
    const broken = new Set(decoded.flatMap((one) => one.broken ?? []).map(({ instrument }) => instrument));
    const rows = decoded
      .flatMap((one) => one.rows)
      .filter((part) => part.table === bookEvents)
      .flatMap((part) => part.rows);
    expect(rows.length).toBeGreaterThan(300);
    for (const market of open.filter((one) => one.accepting_orders)) {
      for (const outcome of [0, 1] as const) {
        const token = market.token_ids[outcome];
        if (broken.has(token)) continue;
        const book = rebuilt(rows.filter((row) => row["instrument"] === token));
        const truth = market.book(outcome);
        const levels = (side: typeof truth.bids) =>
          new Map(side.map((level) => [level.price_e4 * 100, level.size_micro]));
        expect(book).toEqual({ bids: levels(truth.bids), asks: levels(truth.asks) });
      }
    }
    const prints = decoded
      .flatMap((one) => one.rows)
      .filter((part) => part.table === polymarketPrints)
      .flatMap((part) => part.rows);
    expect(prints.length).toBeGreaterThan(0);
    const inserted = await store.insert(bookEvents, rows);
    expect(inserted).toEqual({ stored: rows.length, known: 0 });
    expect((await store.insert(polymarketPrints, prints)).stored).toBe(prints.length);
    const states = [];
    for await (const state of resyncBooks(
      feedOf("clob"),
      open.flatMap((market) => market.token_ids),
    ))
      states.push(state);
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) expect(session.adopt(state, 0).broken).toBeUndefined();
  });
});

/** Compares rows without order hashes with the world's legs up to a timestamp, by their common fields. */
function checkHashless(rows: ReadonlyMap<string, InsertRow>, upTo: number): void {
  const counts = new Map<string, number>();
  let legs = 0;
  for (const match of world.polymarket.matches) {
    if (match.block_ms > upTo) continue;
    const kinds = new Set(match.makers.map(({ kind }) => kind));
    for (const leg of [...match.makers, match.taker]) {
      const kind = leg.role === "taker" && kinds.size > 1 ? "complementary" : leg.kind;
      const name = [match.tx_hash, leg.wallet, leg.token_id, leg.side, leg.shares_micro, leg.role, kind].join("|");
      counts.set(name, (counts.get(name) ?? 0) + 1);
      legs += 1;
    }
  }
  let seen = 0;
  for (const row of rows.values()) {
    if (Date.parse(String(row["ts"])) > upTo) continue;
    const said = ["tx_hash", "wallet", "token_id", "side", "role", "match_kind"].map((field) => row[field]);
    const name = [...said.slice(0, 4), micro(row["shares"]), ...said.slice(4)].join("|");
    const left = counts.get(name) ?? 0;
    if (left === 0) throw new Error(`not of the world: ${name}`);
    counts.set(name, left - 1);
    seen += 1;
  }
  expect(seen).toBe(legs);
}

function winnerOf({ payout_numerators: paid, outcomes }: World["polymarket"]["markets"][number]): string | null {
  if (paid === null || paid[0] === paid[1]) return null;
  return paid[0] > paid[1] ? outcomes[0] : outcomes[1];
}

function rebuilt(rows: readonly InsertRow[]) {
  const inOrder = rows.toSorted(
    (a, b) => String(a["ts"]).localeCompare(String(b["ts"])) || Number(a["seq"]) - Number(b["seq"]),
  );
  const from = inOrder.findLastIndex((row) => row["kind"] === "snapshot");
  const book = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  for (const row of inOrder.slice(from)) {
    for (const side of ["bids", "asks"] as const) {
      for (const [price, size] of row[side] as [string, string][]) {
        if (size === "0") book[side].delete(micro(price));
        else book[side].set(micro(price), micro(size));
      }
    }
  }
  return book;
}

type Level = { readonly asset_id: string; readonly side: string; readonly price: string };
type Change = { event_type?: string; asset_id?: string; timestamp: string; price_changes?: readonly Level[] };

/**
 * Loses one change at a time: the loss is detected within two further changes of the token, or repaired before by a
 * complete book or by changes that set every level of the lost one.
 */
function noticesLostFrames(frames: readonly string[], tokens: readonly string[]): void {
  const messages = frames.map((frame) => (frame.startsWith("{") ? (JSON.parse(frame) as Change) : undefined));
  const levelsOf = (index: number, token: string): string[] =>
    (messages[index]?.price_changes ?? [])
      .filter((level) => level.asset_id === token)
      .map(({ side, price }) => `${side} ${price}`);
  let noticed = 0;
  const candidates = messages.flatMap((message, index) => (message?.event_type === "price_change" ? [index] : []));
  for (const lost of candidates.filter((_, position) => position % 7 === 3).slice(0, 40)) {
    const token = messages[lost]?.price_changes?.[0]?.asset_id ?? "";
    const session = bookSession();
    session.subscribe(tokens);
    let outcome = "quiet";
    let changes = 0;
    const missing = new Set(levelsOf(lost, token));
    for (const [index, frame] of frames.entries()) {
      if (index === lost) continue;
      const { broken } = session.decode(frame, 0);
      if (index < lost || outcome !== "quiet") continue;
      const levels = levelsOf(index, token);
      for (const level of levels) missing.delete(level);
      if (broken?.some(({ instrument }) => instrument === token)) outcome = "noticed";
      else if (messages[index]?.event_type === "book" && messages[index].asset_id === token) outcome = "healed";
      else if (missing.size === 0) outcome = "healed";
      else if (levels.length > 0) changes += 1;
      expect(changes).toBeLessThan(3);
    }
    if (outcome === "noticed") noticed += 1;
  }
  expect(noticed).toBeGreaterThan(0);
}

async function waitFor(isThere: () => boolean): Promise<void> {
  for (let wait = 0; wait < 200 && !isThere(); wait += 1) await new Promise((resolve) => setTimeout(resolve, 25));
}
