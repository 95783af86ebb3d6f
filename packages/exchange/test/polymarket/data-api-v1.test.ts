import { afterAll, beforeAll, expect, test } from "vitest";
import { openPaper, type Paper } from "./paper.ts";
import { recorded, recordedAbsent } from "./recorded.ts";

type Row = Record<string, unknown>;

let paper: Paper;
let late: Paper;
let busiest: string;
beforeAll(async () => {
  paper = await openPaper();
  late = await openPaper({ data: { cdn: false, v1_offset_mode: "repeat" } });
  const count = (address: string): number => paper.world.polymarket.activity(address).length;
  busiest = [...paper.world.polymarket.wallets].sort((a, b) => count(b.address) - count(a.address))[0]?.address ?? "";
});
afterAll(async () => {
  await paper.served.close();
  await late.served.close();
});

test("an offset over 3,000 is refused in 2026", async () => {
  expect((await paper.get("data", "/trades?limit=1000&offset=3000")).status).toBe(200);
  expect(await paper.get("data", "/trades?limit=1000&offset=3001")).toMatchObject({
    status: 400,
    body: { error: "max historical activity offset of 3000 exceeded" },
  });
});

test("late in 2025 deep offsets repeat the same page without a word", async () => {
  const [at1000, at1500, at4500] = await Promise.all(
    [1000, 1500, 4500].map((offset) => late.get<Row[]>("data", `/trades?limit=500&offset=${offset}`)),
  );
  expect(at1500?.body).toEqual(at1000?.body);
  expect(at4500?.body).toEqual(at1000?.body);
  expect((await late.get<Row[]>("data", "/trades?limit=500&offset=500")).body).not.toEqual(at1000?.body);
});

test("limit is clamped to 1,000 without a word; pages by offset follow each other", async () => {
  const { body } = await paper.get<Row[]>("data", "/trades?limit=10000");
  expect(body).toHaveLength(1000);
  const second = await paper.get<Row[]>("data", "/trades?limit=10&offset=10");
  expect(second.body).toEqual(body.slice(10, 20));
});

test.skipIf(recordedAbsent !== false)("a trade has the recorded fields and types", async () => {
  const [real = {}] = recorded<Row[]>("captures/trades.json");
  const { body } = await paper.get<Row[]>("data", "/trades?limit=1");
  for (const [key, value] of Object.entries(real)) expect.soft(typeof body[0]?.[key], key).toBe(typeof value);
});

test("takerOnly defaults to true; filterType wants filterAmount", async () => {
  const taker = await paper.get<Row[]>("data", `/trades?user=${busiest}&limit=1000`);
  const both = await paper.get<Row[]>("data", `/trades?user=${busiest}&limit=1000&takerOnly=false`);
  expect(both.body.length).toBeGreaterThan(taker.body.length);
  expect((await paper.get("data", "/trades?filterType=CASH")).status).toBe(400);
});

test("market takes a comma-separated list and excludes eventId", async () => {
  const [one, two] = paper.world.polymarket.markets.filter((market) => market.matches().length > 5);
  const list = `${String(one?.condition_id)},${String(two?.condition_id)}`;
  const { body } = await paper.get<Row[]>("data", `/trades?market=${list}&limit=1000`);
  expect(new Set(body.map((row) => row["conditionId"]))).toEqual(new Set([one?.condition_id, two?.condition_id]));
  expect((await paper.get("data", `/trades?market=${list}&eventId=1`)).status).toBe(400);
});

test("activity can be walked by its end when offsets run out", async () => {
  const reached = Math.floor(paper.world.reached() / 1000);
  const whole = await paper.get<Row[]>("data", `/activity?user=${busiest}&limit=500&start=1&end=${reached}`);
  const last = whole.body[249]?.["timestamp"] as number;
  const older = await paper.get<Row[]>("data", `/activity?user=${busiest}&limit=500&end=${last}`);
  expect(older.body.every((row) => (row["timestamp"] as number) <= last)).toBe(true);
  expect(older.body.length).toBeGreaterThan(0);
  const rising = await paper.get<Row[]>("data", `/activity?user=${busiest}&limit=5&sortDirection=ASC`);
  const times = rising.body.map((row) => row["timestamp"] as number);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test("positions hide dust under sizeThreshold 1; closed ones have no size", async () => {
  const { body } = await paper.get<Row[]>("data", `/positions?user=${busiest}&limit=500`);
  expect(body.every((row) => (row["size"] as number) >= 1)).toBe(true);
  const closed = await paper.get<Row[]>("data", `/closed-positions?user=${busiest}&limit=500`);
  expect(closed.body.length).toBeLessThanOrEqual(50);
  expect(closed.body.every((row) => !("size" in row) && typeof row["timestamp"] === "number")).toBe(true);
});
