import { describe, expect, it } from "vitest";
import { polymarketEventsStream, toEvent } from "../../../src/connectors/polymarket/events.ts";
import { categoryPath } from "../../../src/connectors/polymarket/gamma/tag-paths.ts";
import { gammaEventWire } from "../../../src/connectors/polymarket/gamma/gamma-event-wire.ts";
import { gammaMarketWire } from "../../../src/connectors/polymarket/gamma/gamma-market-wire.ts";
import { resolution, toMarket } from "../../../src/connectors/polymarket/gamma/market-rows.ts";
import { polymarketMarketsStream } from "../../../src/connectors/polymarket/markets.ts";
import { polymarketMissingMarketsStream } from "../../../src/connectors/polymarket/missing-markets.ts";
import { polymarketEvents } from "../../../src/tables/polymarket-events.ts";
import { polymarketMarkets } from "../../../src/tables/polymarket-markets.ts";
import { polymarketTokens } from "../../../src/tables/polymarket-tokens.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";
import { absent, recordedJson, recordedLines } from "./recorded.ts";

type Raw = Record<string, unknown> & { id: string; conditionId: string; closed: boolean };
type Recorded = { raw: Raw; token_ids: string[]; outcome_prices: string[]; condition_id: string };

const NOW = "2026-11-20T00:00:00.000Z";
const recorded = (): Recorded[] =>
  recordedLines("btc5m/BTC-5m-markets-2026-06-08.jsonl.gz").map((line) => JSON.parse(line) as Recorded);
const capture = (name: string): Raw => recordedJson<Raw>(`captures/${name}.json`);
const made = (raw: unknown) => toMarket(gammaMarketWire.parse(raw), NOW);
const kept = (raw: unknown) => {
  const rows = made(raw);
  if (!rows.kept) throw new Error(rows.reason);
  return rows;
};

describe.skipIf(absent !== undefined)(`Gamma, recorded${absent === undefined ? "" : `: ${absent}`}`, () => {
  it("maps 292 raw markets with their tokens unchanged and their recorded settlement", () => {
    const all = recorded();
    expect(all).toHaveLength(292);
    for (const one of all) {
      const { market, tokens } = kept(one.raw);
      expect(tokens.map((token) => token["token_id"])).toEqual(one.token_ids);
      expect(market["condition_id"]).toBe(one.condition_id);
      const winner = one.outcome_prices.indexOf("1");
      expect(market["winning_outcome"]).toBe(["Up", "Down"][winner]);
      expect(market["payout_a"]).toBe(winner === 0 ? "1" : "0");
      expect(market["fee_rate"]).toBe("0.07");
      expect(market["closed_date"]).toMatch(/^2026-06-0[789]T\d\d:\d\d:\d\dZ$/);
    }
  });

  it("maps 299 raw markets to Gamma's own values", () => {
    const names = ["", "_closed_binary_accepting_false", "_closed_binary_accepting_true", "_closed_nonbinary_legacy"];
    const captures = [...names, "_sports_market_map_handicap", "_sports_market_money_line"].map((name) =>
      capture(`gamma_market${name}`),
    );
    const eth = recordedJson<Raw>("gamma/fleet_market_sample_closed_eth_updown.json");
    const raws = [...recorded().map(({ raw }) => raw), ...captures, eth];
    expect(new Set(raws.map(({ conditionId }) => conditionId)).size).toBe(299);
    for (const raw of raws) {
      const { market, tokens } = kept(raw);
      const list = (name: string): unknown[] => JSON.parse(String(raw[name] ?? "[]")) as unknown[];
      expect(market).toMatchObject({
        condition_id: raw.conditionId.toLowerCase(),
        question: raw["question"],
        slug: raw["slug"],
        closed: raw.closed,
      });
      expect([market["side_a_outcome"], market["side_b_outcome"]]).toEqual(list("outcomes"));
      expect(tokens.map((token) => token["token_id"])).toEqual(list("clobTokenIds"));
      expect(Math.abs(Number(market["volume_total"]) - Number(raw["volume"] ?? 0))).toBeLessThan(1e-6);
      // Settled five-minute markets, and one capture, are closed at 1 and 0 without any oracle status.
      const isSettled = raw.closed && (raw["umaResolutionStatus"] ?? "resolved") === "resolved";
      const winner = isSettled ? list("outcomePrices").map(Number).indexOf(1) : -1;
      expect(market["winning_outcome"]).toBe(winner < 0 ? null : list("outcomes")[winner]);
      const ends = raw["endDate"] === undefined ? null : Date.parse(String(raw["endDate"]));
      expect(market["end_date"] === null ? null : Date.parse(String(market["end_date"]))).toBe(ends);
    }
  });

  it("keeps volumes exact to six decimals", () => {
    const { market } = kept(recorded()[0]?.raw);
    expect(market["volume_total"]).toBe("30335.869375");
    expect(market["start_date"]).toBe("2026-06-07T00:02:58.730402Z");
    expect(market["end_date"]).toBe("2026-06-08T00:00:00Z");
    expect(market["event_start"]).toBe("2026-06-07T23:55:00Z");
    expect(market["tick_size"]).toBe("0.001");
    expect(market["min_size"]).toBe("5");
  });

  it("reads the captures of open, closed but accepting orders, sports and legacy markets", () => {
    const open = kept(capture("gamma_market")).market;
    expect(open).toMatchObject({ closed: false, winning_outcome: null, payout_a: null, side_a_price: "0.505" });
    const yes = kept(capture("gamma_market_closed_binary_accepting_true")).market;
    expect(yes).toMatchObject({ closed: true, accepting_orders: true, winning_outcome: "Yes", payout_a: "1" });
    expect(yes["closed_date"]).toBe("2026-05-09T02:07:01Z");
    expect(yes["event_start"]).toBe("2026-05-08T20:00:00Z");
    expect(yes["fee_rate"]).toBeNull();
    expect(yes["resolution_status"]).toBe("");
    const game = kept(capture("gamma_market_sports_market_money_line")).market;
    expect(game["closed_date"]).toBe("2026-04-05T19:37:33Z");
    const legacy = kept(capture("gamma_market_closed_nonbinary_legacy")).market;
    expect(legacy).toMatchObject({
      winning_outcome: null,
      payout_a: null,
      category: "Crypto",
      side_a_price: "0.584331",
    });
    expect(legacy["start_date"]).toBeNull();
  });

  it("reads every captured market", () => {
    const names = ["accepting_false", "accepting_true", "nonbinary_legacy"].map(
      (name) => `closed_${name.replace("acc", "binary_acc")}`,
    );
    for (const name of [...names, "sports_market_map_handicap", "sports_market_money_line"]) {
      const { market, tokens } = kept(capture(`gamma_market_${name}`));
      expect([name, tokens.length]).toEqual([name, 2]);
      expect([name, market["closed"]]).toEqual([name, true]);
    }
    const eth = kept(recordedJson("gamma/fleet_market_sample_closed_eth_updown.json")).market;
    expect(eth).toMatchObject({ winning_outcome: "Down", payout_a: "0", event_slug: "eth-updown-15m-1772181000" });
  });

  it("reads the events of a capture, with the category from their tags", () => {
    const [event] = recordedJson<unknown[]>("captures/gamma_event.json");
    const row = toEvent(gammaEventWire.parse(event));
    expect(row).toMatchObject({ event_id: "30829", neg_risk: true, market_count: 2, volume: "799823812.487094" });
    expect(row["neg_risk_market_id"]).toBe("0x2c3d7e0eee6f058be3006baabf0d54a07da254ba47fe6e3e095e7990c7814700");
    const { events } = recordedJson<{ events: { tags: { label: string }[] }[] }>("captures/search_response.json");
    expect(categoryPath(events[0]?.tags ?? [], undefined)).toBe("Crypto / Bitcoin");
  });

  it("maps 4,971 Gamma events", () => {
    const lines = recordedLines("mlb/mlb_gamma_events_2020_2026.jsonl.gz");
    expect(lines).toHaveLength(4971);
    for (const line of lines) {
      const flat = JSON.parse(line) as Record<string, unknown> & {
        event_id: string;
        slug: string;
        title: string;
        closed: boolean;
        volume: number;
        n_markets: number;
      };
      const wire = {
        id: flat.event_id,
        slug: flat["slug"],
        title: flat["title"],
        startDate: flat["start_date"],
        endDate: flat["end_date"],
        creationDate: flat["creation_date"],
        closed: flat["closed"],
        active: flat["active"],
        archived: flat["archived"],
        volume: flat.volume,
        negRisk: flat["neg_risk"],
        markets: Array.from({ length: flat.n_markets }, (_, index) => ({ id: String(index) })),
      };
      const row = toEvent(gammaEventWire.parse(wire));
      expect(row["market_count"]).toBe(flat.n_markets);
      expect(Math.abs(Number(row["volume"]) - (flat.volume ?? 0))).toBeLessThan(1e-6);
      const { event_id, slug, title, closed } = flat;
      expect(row).toMatchObject({ event_id, slug, title, closed });
    }
  });

  it("walks keyset pages to the end, and needs few calls in the next cycle", async () => {
    const raws = recorded().map((one) => one.raw);
    const feed = keysetFeed("markets", raws);
    const first = await collect(polymarketMarketsStream.pull(pullOptions(feed)));
    expect(new Set(first.of(polymarketMarkets).map((row) => row["condition_id"])).size).toBe(292);
    expect(new Set(first.of(polymarketTokens).map((row) => row["token_id"])).size).toBe(584);
    expect(first.batches.at(-1)).toMatchObject({ isCaughtUp: true, reached: NOW });
    expect(feed.calls.every(({ query }) => query.has("closed"))).toBe(true);
    const before = feed.calls.length;
    const second = await collect(polymarketMarketsStream.pull(pullOptions(feed, { cursor: first.cursor })));
    expect(feed.calls.length - before).toBeLessThanOrEqual(3);
    expect(second.cursor).toMatchObject({ active_at: Date.parse(NOW), history_at: Date.parse(NOW) });
  });

  it("continues from the page where it was cut off", async () => {
    const feed = keysetFeed(
      "markets",
      recorded().map((one) => one.raw),
    );
    const seen = new Set<unknown>();
    let cursor: Awaited<ReturnType<typeof collect>>["cursor"];
    for (let cut = 0; cut < 12; cut += 1) {
      let pages = 0;
      for await (const batch of polymarketMarketsStream.pull(pullOptions(feed, { cursor }))) {
        for (const part of batch.rows)
          if (part.table === polymarketMarkets) part.rows.forEach((row) => seen.add(row["gamma_id"]));
        cursor = batch.cursor;
        pages += 1;
        if (pages === 4 || batch.isCaughtUp) break;
      }
    }
    expect(seen.size).toBe(292);
    expect(cursor?.["walk"]).toBeUndefined();
  });

  it("looks up markets of unknown tokens, open first, then closed", async () => {
    const raws = recorded().map((one) => one.raw);
    const wanted = recorded()
      .slice(0, 60)
      .map((one) => one.token_ids[1] ?? "");
    const feed = memoryFeed({
      get: (_call, query) => ({
        markets: raws.filter(
          (raw) =>
            String(raw.closed) === query.get("closed") &&
            query.getAll("clob_token_ids").some((token) => String(raw["clobTokenIds"]).includes(`"${token}"`)),
        ),
      }),
    });
    const known = async () => [...wanted, "1", "not a token"];
    const found = await collect(polymarketMissingMarketsStream.pull(pullOptions(feed, { known })));
    expect(found.of(polymarketMarkets)).toHaveLength(60);
    expect(feed.calls.every(({ query }) => query.getAll("clob_token_ids").length <= 50)).toBe(true);
    expect(feed.calls.map(({ query }) => query.get("closed"))).toEqual(["false", "true", "false", "true"]);
  });
});

const market = (more: Record<string, unknown>) => ({
  id: "7",
  question: "Q?",
  slug: "q",
  conditionId: `0x${"ab".repeat(32)}`,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["1", "0"]',
  clobTokenIds: '["11", "22"]',
  closed: true,
  ...more,
});

const tags = (...labels: string[]) =>
  labels.map((label) => ({ label, slug: label.toLowerCase().replaceAll(" ", "-") }));

const answer = (more: Record<string, unknown>) => resolution(gammaMarketWire.parse(market(more)));

describe("Gamma, synthetic", () => {
  it("resolves a market only if it is closed and its highest price exceeds 0.99", () => {
    expect(answer({})).toEqual({ payoutMicro: 1_000_000n, winner: 0 });
    expect(answer({ closed: false })).toEqual({ payoutMicro: null, winner: null });
    expect(answer({ outcomePrices: '["0.0000007", "0.9999993"]' })).toEqual({ payoutMicro: 0n, winner: 1 });
    expect(answer({ outcomePrices: '["0", "0"]' })).toEqual({ payoutMicro: null, winner: null });
    expect(answer({ outcomePrices: '["0.58", "0.42"]' })).toEqual({ payoutMicro: null, winner: null });
    expect(answer({ outcomePrices: '["69", "0"]' })).toEqual({ payoutMicro: null, winner: null });
    expect(answer({ umaResolutionStatus: "disputed" })).toEqual({ payoutMicro: null, winner: null });
    expect(answer({ outcomePrices: '["0.5", "0.5"]' })).toEqual({ payoutMicro: null, winner: null });
    const half = { outcomePrices: '["0.5", "0.5"]', umaResolutionStatus: "resolved" };
    expect(answer(half)).toEqual({ payoutMicro: 500_000n, winner: null });
  });

  it("omits markets without exactly two outcomes or without a condition, and reports them", async () => {
    const feed = keysetFeed("markets", [
      market({ id: "1" }),
      market({ id: "2", outcomes: '["A", "B", "C"]' }),
      market({ id: "3", conditionId: "" }),
    ] as Raw[]);
    const all = await collect(polymarketMarketsStream.pull(pullOptions(feed)));
    expect(new Set(all.of(polymarketMarkets).map((row) => row["gamma_id"]))).toEqual(new Set(["1"]));
    const texts = new Set(all.batches.flatMap((batch) => batch.notices ?? []).map((notice) => notice.text));
    expect(texts.size).toBe(2);
  });

  it("treats empty strings as missing, and reads dates in every form", () => {
    const rows = made(
      market({
        questionID: "",
        clobTokenIds: "",
        volume: "",
        endDate: "2500-12-31",
        closedTime: "2026-07-24 00:00:16+00",
      }),
    );
    expect(rows.kept && rows.market).toMatchObject({
      question_id: "",
      side_a_token_id: "0",
      volume_total: "0",
      end_date: null,
      closed_date: "2026-07-24T00:00:16Z",
    });
    expect(rows.kept && rows.tokens).toEqual([]);
  });

  it("builds the category from the hierarchy", () => {
    expect(categoryPath(tags("Games", "NBA", "Sports"), undefined)).toBe("Sports / Basketball / NBA");
    expect(categoryPath(tags("Weekly", "Something New"), undefined)).toBe("Something New");
    expect(categoryPath([], "Crypto")).toBe("Crypto");
    expect(categoryPath([], undefined)).toBe("");
  });

  it("throws when the cursor does not advance", async () => {
    const feed = memoryFeed({ get: () => ({ markets: [market({})], next_cursor: "same" }) });
    await expect(
      collect(polymarketEventsStream.pull(pullOptions(memoryFeed({ get: () => ({ events: [], next_cursor: "x" }) })))),
    ).rejects.toThrow(/same cursor/);
    await expect(collect(polymarketMarketsStream.pull(pullOptions(feed)))).rejects.toThrow(/same cursor/);
    const turning = memoryFeed({
      get: (_call, query) => {
        if (turning.calls.length > 20) throw new Error("it walks in a circle");
        return { events: [], next_cursor: query.get("after_cursor") === "a" ? "b" : "a" };
      },
    });
    await expect(collect(polymarketEventsStream.pull(pullOptions(turning)))).rejects.toThrow(/same cursor/);
  });

  it("repeats a walk whose recorded time is ahead of a clock that was set back", async () => {
    const feed = memoryFeed({ get: () => ({ events: [{ id: "5", slug: "e" }] }) });
    const anHourAhead = Date.parse(NOW) + 3_600_000;
    const cursor = { active_at: anHourAhead, ended_at: anHourAhead, history_at: anHourAhead, newest_id: 5 };
    const all = await collect(polymarketEventsStream.pull(pullOptions(feed, { cursor })));
    const now = Date.parse(NOW);
    expect(all.cursor).toMatchObject({ active_at: now, ended_at: now, history_at: now });
  });

  it("restarts a walk when its saved cursor is no longer accepted", async () => {
    const feed = memoryFeed({
      get: (_call, query) => {
        if (query.get("after_cursor") === "stale") throw new Error("422");
        return { events: [{ id: "5", slug: "e" }] };
      },
    });
    const cursor = { walk: "history", walk_began: 1, after: "stale", active_at: Date.parse(NOW), newest_id: 5 };
    const all = await collect(polymarketEventsStream.pull(pullOptions(feed, { cursor })));
    expect(all.of(polymarketEvents).length).toBeGreaterThan(0);
    expect(all.cursor).toMatchObject({ history_at: 1 });
    expect(all.cursor?.["after"]).toBeUndefined();
  });
});

/** A keyset list over raw objects, as Gamma pages it: 100 at most, `next_cursor` only when the page is full. */
function keysetFeed(name: "markets" | "events", raws: readonly Raw[]) {
  return memoryFeed({
    get: (_call, query) => {
      const up = query.get("ascending") === "true";
      const key = (raw: Raw): string | number =>
        query.get("order") === "id" ? Number(raw.id) : String(raw["closedTime"] ?? "");
      const sorted = raws
        .filter((raw) => String(raw.closed) === query.get("closed"))
        .toSorted((a, b) => (key(a) < key(b) ? -1 : 1) * (up ? 1 : -1));
      const from = Number(query.get("after_cursor") ?? 0);
      const page = sorted.slice(from, from + 100);
      return page.length === 100 ? { [name]: page, next_cursor: String(from + 100) } : { [name]: page };
    },
  });
}
