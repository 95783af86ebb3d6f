import { afterAll, beforeAll, expect, test } from "vitest";
import type { Held } from "../../../src/definition/coverage.ts";
import { priceChangesFromMinutes } from "../../../src/derivations/price-changes.ts";
import { runWhole } from "../../../src/ingest/rebuild.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { hex, table } from "../../fixtures/sample-rows.ts";
import { storeMinutes } from "../../jumps/token-minutes.ts";

const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
const TOKEN = "7001";
/** Its market is not known. */
const UNKNOWN = "7002";
const JUMP = START + 12 * HOUR;
const iso = (ms: number): string => new Date(ms).toISOString();

let held: Held = {};
let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
const mention = (at: number, id: string, condition = hex(70), gone = false) => ({
  condition_id: condition,
  ts: iso(at),
  source: "bluesky",
  post_id: id,
  author: "a",
  event_slug: "e",
  term: "t",
  is_gone: gone,
});

beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(
    store,
    () => START + 48 * HOUR,
    () => Promise.resolve(held),
  );
  const minutes = Array.from({ length: 24 }, (_, hour) => ({
    minute: START / 1000 + hour * 3600,
    close: hour < 12 ? 0.4 : 0.6,
    shares: 10,
  }));
  await storeMinutes(store, TOKEN, minutes);
  await storeMinutes(store, UNKNOWN, minutes);
  await store.insert(table("polymarket_tokens"), [
    { token_id: TOKEN, condition_id: hex(70), outcome_index: 0, outcome: "Yes", slug: "near" },
  ]);
  const all = { from: "2020-01-01 00:00:00", to: "2030-01-01 00:00:00", starts: undefined, version: "1" };
  const slices = { ...all, slice: { first: "0", last: String(2n ** 256n - 1n) } };
  await runWhole(priceChangesFromMinutes, store, slices);
  await store.insert(table("social_mentions"), [
    mention(JUMP - HOUR, "on the edge"),
    mention(JUMP + HOUR, "on the other"),
    mention(JUMP, "at it"),
    mention(JUMP - HOUR - 1, "too early"),
    mention(JUMP + HOUR + 1, "too late"),
    mention(JUMP, "of another market", hex(71)),
    mention(JUMP + 1, "taken back"),
  ]);
  await store.insert(table("social_mentions"), [mention(JUMP + 1, "taken back", hex(70), true)]);
});
afterAll(() => store.close());

async function near(spans: Held, minChange: number, token = TOKEN): Promise<unknown> {
  held = spans;
  const params = { token_id: token, start_time: iso(START), resolution: "5m", min_change_pct: String(minChange) };
  const rows = await query.rows(596, { params });
  expect(rows.map((row) => [row["jump_time"], row["change_pct"]])).toEqual([[iso(JUMP).replace(".000", ""), "50.00"]]);
  return rows[0]?.["posts_near"];
}

test("posts_near counts the posts about the market within an hour of a jump", async () => {
  expect(await near({ bluesky: [{ from: START, to: START + 30 * HOUR }] }, 11)).toBe(3);
});

test("posts_near is null if no source covers the whole period around a jump", async () => {
  expect(await near({}, 12)).toBeNull();
  expect(await near({ bluesky: [], x: [{ from: JUMP, to: START + 30 * HOUR }] }, 13)).toBeNull();
  expect(await near({ bluesky: [{ from: START, to: JUMP }], x: [{ from: JUMP - HOUR, to: JUMP + HOUR }] }, 14)).toBe(3);
});

test("posts_near is null for a token whose market is not known", async () => {
  expect(await near({ bluesky: [{ from: START, to: START + 30 * HOUR }] }, 15, UNKNOWN)).toBeNull();
});
