import {
  ListEventsKeysetResponseSchema,
  ListMarketsKeysetResponseSchema,
  ListTagsResponseSchema,
  MarketSchema,
} from "@polymarket/bindings/gamma";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPaper, type Paper } from "./paper.ts";
import { recorded, recordedAbsent } from "./recorded.ts";

type Row = Record<string, unknown> & { id: string; closed: boolean };
interface MarketPage {
  markets: Row[];
  next_cursor?: string;
}

let paper: Paper;
beforeAll(async () => {
  paper = await openPaper();
});
afterAll(() => paper.served.close());

async function walkMarkets(query: string): Promise<Row[]> {
  const rows: Row[] = [];
  let after = "";
  for (let pages = 0; pages < 200; pages += 1) {
    const { body } = await paper.get<MarketPage>("gamma", `/markets/keyset?limit=100&${query}${after}`);
    rows.push(...body.markets);
    if (body.next_cursor === undefined) return rows;
    after = `&after_cursor=${body.next_cursor}`;
  }
  throw new Error("the cursor never ended");
}

describe("/markets/keyset", () => {
  test("returns each market of the world once over the open and closed walks", async () => {
    const open = await walkMarkets("closed=false");
    const closed = await walkMarkets("closed=true");
    expect(open.every((market) => !market.closed)).toBe(true);
    expect(closed.every((market) => market.closed)).toBe(true);
    expect(closed.length).toBeGreaterThan(100);
    const ids = [...open, ...closed].map((market) => market.id).sort();
    expect(ids).toEqual(paper.world.polymarket.markets.map((market) => market.id).sort());
  });

  test("silently clamps limit to 100", async () => {
    const { status, body } = await paper.get<MarketPage>("gamma", "/markets/keyset?limit=5000&closed=true");
    expect(status).toBe(200);
    expect(body.markets).toHaveLength(100);
  });

  test("ignores `cursor` and returns the first page again", async () => {
    const first = await paper.get<MarketPage>("gamma", "/markets/keyset?limit=5&closed=true");
    const again = await paper.get<MarketPage>(
      "gamma",
      `/markets/keyset?limit=5&closed=true&cursor=${String(first.body.next_cursor)}`,
    );
    expect(again.body.markets.map((market) => market.id)).toEqual(first.body.markets.map((market) => market.id));
  });

  test("rejects offset with 422", async () => {
    expect((await paper.get("gamma", "/markets/keyset?offset=0")).status).toBe(422);
    expect((await paper.get("gamma", "/events/keyset?offset=20")).status).toBe(422);
  });

  test("defaults closed to false, also for a market requested by its token", async () => {
    const market = paper.world.polymarket.markets.find((each) => each.resolved_ms !== null);
    const id = market?.token_ids[0] ?? "";
    expect((await paper.get<MarketPage>("gamma", `/markets/keyset?clob_token_ids=${id}`)).body).toEqual({
      markets: [],
    });
    const found = await paper.get<MarketPage>("gamma", `/markets/keyset?clob_token_ids=${id}&closed=true`);
    expect(found.body.markets.map((each) => each.id)).toEqual([market?.id]);
  });

  test("treats repeated keys as a list", async () => {
    const [one, two] = paper.world.polymarket.markets.filter((market) => !market.closed);
    if (one === undefined || two === undefined) throw new Error("too few open markets");
    const query = `clob_token_ids=${one.token_ids[0]}&clob_token_ids=${two.token_ids[1]}`;
    const { body } = await paper.get<MarketPage>("gamma", `/markets/keyset?${query}`);
    expect(body.markets.map((market) => market.id)).toEqual([one.id, two.id]);
  });

  test("orders by closedTime, descending with ascending=false, and rejects unknown orders with 422", async () => {
    const query = "closed=true&order=closedTime&ascending=false&limit=50";
    const { body } = await paper.get<MarketPage>("gamma", `/markets/keyset?${query}`);
    const closings = body.markets.map(({ id }) => paper.world.polymarket.market(id)?.closed_ms ?? 0);
    expect(new Set(closings).size).toBeGreaterThan(1);
    expect(closings).toEqual(closings.toSorted((a, b) => b - a));
    expect((await paper.get("gamma", "/markets/keyset?order=nothingSuch")).status).toBe(422);
    expect((await paper.get("gamma", "/markets/keyset?order=closed_time")).status).toBe(200);
  });

  test("omits markets below volume_num_min", async () => {
    const rows = await walkMarkets("closed=true&volume_num_min=1000");
    const closed = paper.world.polymarket.markets.filter((market) => market.closed);
    const expected = closed.filter((market) => market.volume_micro >= 1e9);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(closed.length);
    expect(rows.map((market) => market.id)).toEqual(expected.map((market) => market.id));
  });

  test("returns markets that the official schema accepts", async () => {
    const { body } = await paper.get("gamma", "/markets/keyset?limit=100&closed=true&include_tag=true");
    const parsed = ListMarketsKeysetResponseSchema.parse(body);
    expect(parsed.items).toHaveLength(100);
    const resolved = parsed.items.find((market) => market.resolution.umaResolutionStatus === "resolved");
    expect(Number(resolved?.outcomes.yes.price) + Number(resolved?.outcomes.no.price)).toBe(1);
    expect(resolved?.tags.length).toBeGreaterThan(0);
  });
});

async function readMarket(token: string | undefined, closed: boolean): Promise<Row> {
  const path = `/markets/keyset?clob_token_ids=${String(token)}&closed=${String(closed)}`;
  const { body } = await paper.get<MarketPage>("gamma", path);
  expect(body.markets).toHaveLength(1);
  return body.markets[0] ?? { id: "", closed };
}

const findQuoted = () =>
  paper.world.polymarket.markets.find(
    (market) =>
      market.event.series !== null &&
      market.bestBid(0) !== null &&
      market.bestAsk(0) !== null &&
      market.matches().length > 0,
  );

describe("a market object", () => {
  test.skipIf(recordedAbsent !== false)("has the recorded fields with the recorded types", async () => {
    const real = recorded<Record<string, unknown>>("captures/gamma_market.json");
    // Such a market is not quoted on both sides at all times.
    for (let minute = 0; minute < 60 && findQuoted() === undefined; minute += 1) paper.pass(60_000);
    const updown = findQuoted();
    const body = await readMarket(updown?.token_ids[0], false);
    for (const [key, value] of Object.entries(real)) {
      expect.soft(typeof body[key], key).toBe(typeof value);
    }
    const realEvent = (real["events"] as Record<string, unknown>[])[0] ?? {};
    const event = (body["events"] as Record<string, unknown>[])[0] ?? {};
    for (const [key, value] of Object.entries(realEvent))
      expect.soft(typeof event[key], `events[0].${key}`).toBe(typeof value);
    expect(event).not.toHaveProperty("markets");
  });

  test("keeps the venue's quirks: JSON in strings, string and number volumes, Postgres closedTime", async () => {
    const market = paper.world.polymarket.markets.find((each) => each.resolved_ms !== null);
    const body = await readMarket(market?.token_ids[0], true);
    expect(body["outcomes"]).toBe(`["${String(market?.outcomes[0])}", "${String(market?.outcomes[1])}"]`);
    expect(JSON.parse(String(body["clobTokenIds"]))).toEqual(market?.token_ids);
    expect(body["volume"]).toBe(String((market?.volume_micro ?? 0) / 1e6));
    expect(body["volumeNum"]).toBe((market?.volume_micro ?? 0) / 1e6);
    expect(body["closedTime"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/);
    expect(body).not.toHaveProperty("tags");
    expect(MarketSchema.parse(body).state.closed).toBe(true);
  });
});

describe("events", () => {
  test("match the official schema, with markets and tags inside", async () => {
    const { body } = await paper.get("gamma", "/events/keyset?limit=100&closed=false");
    const { items } = ListEventsKeysetResponseSchema.parse(body);
    expect(items.length).toBeGreaterThan(10);
    expect(items.every((event) => event.markets.length > 0 && event.tags.length > 0)).toBe(true);
    const negRisk = items.find((event) => event.trading.negRisk === true);
    expect(negRisk?.markets.length).toBeGreaterThan(2);
    expect(negRisk?.trading.negRiskMarketId).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test.skipIf(recordedAbsent !== false)("have the types of the recorded event if neg-risk", async () => {
    const [real = {}] = recorded<Record<string, unknown>[]>("captures/gamma_event.json");
    const { body: page } = await paper.get<{ events: Row[] }>("gamma", "/events/keyset?limit=100&closed=false");
    const body: Record<string, unknown> = page.events.find((event) => event["negRisk"] === true) ?? {};
    const rare = new Set(["countryName", "electionType", "gmpChartMode", "deployingTimestamp", "startTime"]);
    for (const [key, value] of Object.entries(real)) {
      if (!rare.has(key)) expect.soft(typeof body[key], key).toBe(typeof value);
    }
  });
});

test("the official schema accepts the tags", async () => {
  const { body } = await paper.get("gamma", "/tags?limit=100");
  expect(ListTagsResponseSchema.parse(body).length).toBe(Math.min(100, paper.world.polymarket.tags.length));
});
