import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecordedBooks } from "../../src/record/clob-books.ts";
import { readWalletTrades } from "../../src/record/wallet-trades.ts";
import { ABSENT, REASON, RECORDED } from "./recorded-folder.ts";
import { recordingApp, WORLD } from "./recording-app.ts";

type App = Awaited<ReturnType<typeof recordingApp>>;
type Row = Record<string, unknown>;

const ids = (rows: Row[]) => rows.map((row) => row["id"]);

/** Walks a keyset list to its end. */
async function walk(app: App, path: string, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ;) {
    const next = cursor === "" ? "" : `&after_cursor=${cursor}`;
    const { body } = await app.ask<Row>(`${path}${next}`);
    rows.push(...(body[name] as Row[]));
    if (typeof body["next_cursor"] !== "string") return rows;
    cursor = body["next_cursor"];
  }
}

describe.skipIf(ABSENT)(`Data API v1 trades${REASON}`, () => {
  let app: App;
  beforeAll(async () => {
    app = await recordingApp("data");
  });
  afterAll(() => app.close());

  it("repeat one page from offset 1000 on, as they were recorded", async () => {
    const pages: Row[][] = [];
    for (let offset = 0; offset < 5500; offset += 500) {
      pages.push((await app.ask<Row[]>(`/trades?limit=500&offset=${offset}`)).body);
    }
    expect(pages.map((page) => page.length)).toEqual(Array.from({ length: 11 }, () => 500));
    const texts = pages.map((page) => JSON.stringify(page));
    expect(new Set(texts).size).toBe(3);
    expect(new Set(texts.slice(2)).size).toBe(1);
    expect(new Set(pages.flat().map((row) => row["transactionHash"])).size).toBe(1500);
  });

  it("have the wire's types and the content of the typed file", async () => {
    const file = join(RECORDED, "polymarket/data_api_v1/ibalgo/trades_unique_as_wire_2025-10-10.json.gz");
    const typed = JSON.parse(gunzipSync(await readFile(file)).toString()) as Row[];
    const { body } = await app.ask<Row[]>("/trades?limit=500");
    expect(body).toEqual(typed.slice(0, 500));
  });

  it("clamp the limit, and narrow by market and wallet", async () => {
    const { body } = await app.ask<Row[]>("/trades?limit=10000");
    expect(body).toHaveLength(500);
    const market = body[0]?.["conditionId"];
    const ofMarket = await app.ask<Row[]>(`/trades?market=${String(market)}&limit=500`);
    expect(ofMarket.body.length).toBeGreaterThan(0);
    expect(ofMarket.body.every((row) => row["conditionId"] === market)).toBe(true);
    expect(await app.ask("/trades?market=0xnone")).toEqual(WORLD);
    expect((await app.ask("/trades?offset=10001")).status).toBe(400);
  });
});

describe.skipIf(ABSENT)(`Data API v2${REASON}`, () => {
  it("answers for the recorded wallet and leaves others to the world", async () => {
    const app = await recordingApp("data");
    const user = "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b";
    const activity = await app.ask<{ data: Row[]; pagination: Row }>(`/v2/activity?user=${user}`);
    expect(activity.body.data).toHaveLength(2);
    expect(activity.body.pagination).toMatchObject({ has_more: false, next_cursor: null });
    expect((await app.ask<{ data: Row[] }>(`/v2/positions?user=${user}`)).body.data).toHaveLength(2);
    expect((await app.ask<{ data: Row[] }>("/v2/leaderboard?time_period=day")).body.data).toHaveLength(2);
    expect((await app.ask<{ data: Row }>(`/v2/user-stats?user=${user}`)).body.data).toHaveProperty("all_time_pnl");
    expect(await app.ask("/v2/activity?user=0xother")).toEqual(WORLD);
    await app.close();
  });
});

describe.skipIf(ABSENT)(`Trades of recorded wallets${REASON}`, () => {
  it("are walked by cursor and by offset: 2,703 of 83 wallets", async () => {
    const app = await recordingApp("data");
    const byWallet = await readWalletTrades(RECORDED);
    expect(byWallet.size).toBe(83);
    let total = 0;
    for (const wallet of byWallet.keys()) {
      const rows: Row[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: { body: { data: Row[]; pagination: { has_more: boolean; next_cursor: string | null } } } =
          await app.ask(`/v2/trades?user=${wallet}&limit=100&taker_only=false&cursor=${cursor}`);
        rows.push(...page.body.data);
        cursor = page.body.pagination.next_cursor;
        expect(page.body.pagination.has_more).toBe(cursor !== null);
      }
      total += rows.length;
    }
    expect(total).toBe(2703);
    const v1 = await app.ask<Row[]>("/trades?user=0xB77B6EF359F02192FB077227499F9F853D4870A5&limit=1000");
    expect(v1.body).toHaveLength(803);
    expect(v1.body[0]).toMatchObject({ timestamp: 1771647106, price: 0.999, outcomeIndex: 999 });
    expect((await app.ask(`/v2/trades?user=${[...byWallet.keys()][0]}&offset=1`)).status).toBe(400);
    await app.close();
  });
});

describe.skipIf(ABSENT)(`Gamma${REASON}`, () => {
  let app: App;
  beforeAll(async () => {
    app = await recordingApp("gamma");
  });
  afterAll(() => app.close());

  it("walks 298 closed markets, once each, and one that is open", async () => {
    const closed = await walk(app, "/markets/keyset?limit=100&closed=true", "markets");
    expect(closed).toHaveLength(298);
    expect(new Set(ids(closed)).size).toBe(298);
    expect(closed.filter((market) => String(market["slug"]).startsWith("btc-updown-5m-"))).toHaveLength(292);
    expect(await walk(app, "/markets/keyset?limit=100", "markets")).toHaveLength(1);
  });

  it("gives raw objects word for word, by id, slug, condition and token", async () => {
    const condition = "0x6fa121d31b5ed65b5c34b32ae646e4751b37ffd49c3cbcc379b055e22e27094c";
    const { body } = await app.ask<Row>("/markets/2458626");
    expect(body).toMatchObject({
      conditionId: condition,
      outcomePrices: '["1", "0"]',
      closedTime: "2026-06-08 00:00:16+00",
    });
    expect((await app.ask("/markets/slug/btc-updown-5m-1780876500")).body).toEqual(body);
    for (const query of [`condition_ids=${condition}`, "slug=btc-updown-5m-1780876500"]) {
      const page = await app.ask<Row>(`/markets/keyset?closed=true&${query}`);
      expect(page.body).toEqual({ markets: [body] });
    }
    expect(await app.ask("/markets/keyset?condition_ids=0xnone")).toEqual(WORLD);
  });

  it("pages like the real one: `cursor` does nothing, `offset` is refused", async () => {
    const first = await app.ask<Row>("/markets/keyset?closed=true&limit=5");
    const same = await app.ask<Row>(`/markets/keyset?closed=true&limit=5&cursor=${String(first.body["next_cursor"])}`);
    expect(same.body).toEqual(first.body);
    expect((await app.ask("/markets/keyset?offset=0")).status).toBe(422);
    expect(((await app.ask<Row>("/markets/keyset?closed=true&limit=1000")).body["markets"] as Row[]).length).toBe(100);
  });

  it("walks 4,971 baseball events and one capture under the wire's names", async () => {
    const events = await walk(app, "/events/keyset?limit=100", "events");
    expect(events).toHaveLength(4972);
    expect(new Set(ids(events)).size).toBe(4972);
    const event = (await app.ask<Row>("/events/keyset?id=606883")).body["events"] as Row[];
    expect(event[0]).toMatchObject({
      ticker: "mlb-al-all-star-team-20260617160246191",
      n_markets: 59,
      markets: [],
      negRisk: false,
    });
    const open = await walk(app, "/events/keyset?limit=100&closed=false", "events");
    expect(open.length).toBeGreaterThan(0);
    expect(open.every((item) => item["closed"] === false)).toBe(true);
  });
});

describe.skipIf(ABSENT)(`CLOB books${REASON}`, () => {
  it("give 16,101 books of 160 tokens in order of time, to the second", async () => {
    const tokens = new Set<string>();
    let count = 0;
    let last = 0;
    for await (const book of readRecordedBooks(RECORDED)) {
      count += 1;
      tokens.add(book.asset_id);
      if (Number(book.timestamp) < last - 1000) throw new Error("out of order");
      last = Number(book.timestamp);
    }
    expect([count, tokens.size]).toEqual([16_101, 160]);
  });

  it("give the newest by default and the one that stood at a moment", async () => {
    const app = await recordingApp("clob");
    const token = "79566404668615445908078226248211587049732093007976161395867728229952369958330";
    const newest = await app.ask<Row>(`/book?token_id=${token}`);
    const first = await app.ask<Row>(`/book?token_id=${token}&at=2026-03-26T14:41:05.970Z`);
    expect(Number(newest.body["timestamp"])).toBeGreaterThan(Number(first.body["timestamp"]));
    expect(first.body).toMatchObject({ asset_id: token, timestamp: "1774536065970", tick_size: "0.01" });
    const bids = first.body["bids"] as { price: string }[];
    expect(Number(bids.at(-1)?.price)).toBe(Math.max(...bids.map((level) => Number(level.price))));
    expect((await app.ask(`/book?token_id=${token}&at=0`)).status).toBe(404);
    const many = await app.ask<Row[]>("/books", [{ token_id: token }, { token_id: "1" }]);
    expect(many.body).toEqual([newest.body]);
    expect(await app.ask("/book?token_id=1")).toEqual(WORLD);
    await app.close();
  });
});

describe.skipIf(ABSENT)(`CLOB pages${REASON}`, () => {
  it("give one page of markets and the hours of 18 tokens", async () => {
    const app = await recordingApp("clob");
    const first = await app.ask<Row>("/markets");
    expect(first.body).toMatchObject({ count: 100, next_cursor: "MTAw" });
    expect((await app.ask<Row>("/markets?next_cursor=MTAw")).body).toMatchObject({ data: [], next_cursor: "LTE=" });
    const token = "37479008447091488432468168948590430208783407360102685992956858050228448972626";
    const all = await app.ask<{ history: Row[] }>(`/prices-history?market=${token}&interval=max`);
    expect(all.body.history).toHaveLength(168);
    expect(all.body.history[0]).toEqual({ t: 1781434804, p: 0.0035 });
    const cut = await app.ask<{ history: Row[] }>(`/prices-history?market=${token}&startTs=1781434805`);
    expect(cut.body.history).toHaveLength(167);
    expect(await app.ask("/prices-history?market=1")).toEqual(WORLD);
    await app.close();
  });
});

describe.skipIf(ABSENT)(`Polygon logs${REASON}`, () => {
  it("lie in their block and obey the filter", async () => {
    const app = await recordingApp("rpc");
    const call = (filter: object) =>
      app.ask<{ result: Row[] }>("/", { jsonrpc: "2.0", id: 7, method: "eth_getLogs", params: [filter] });
    const block = `0x${(87_909_517).toString(16)}`;
    const all = await call({ fromBlock: block, toBlock: block });
    expect(all.body).toMatchObject({ jsonrpc: "2.0", id: 7 });
    expect(all.body.result).toHaveLength(5);
    const filled = await call({
      fromBlock: "0x1",
      toBlock: "0xfffffff",
      address: ["0xe111180000d2663c0091e4f400237545b87b996b"],
      topics: [["0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee"]],
    });
    expect(filled.body.result.map((log) => log["logIndex"])).toEqual(["0x3d1"]);
    expect(await call({ fromBlock: "0x1", toBlock: "0x2" })).toEqual(WORLD);
    await app.close();
  });
});
