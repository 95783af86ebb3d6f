import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { findSocialTerms } from "../../src/ingest/find-social-terms.ts";
import { polymarketEvents } from "../../src/tables/polymarket-events.ts";
import { polymarketMarkets } from "../../src/tables/polymarket-markets.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  for (const table of [polymarketMarkets, polymarketEvents]) await store.run(sql`TRUNCATE TABLE ${table}`);
});

/** An open market of an event with the given traded volume of a day. */
const open = (index: number, event: string, question: string, volume_24h: string | null): InsertRow =>
  market(index, { event_slug: event, question, volume_24h, closed: false, active: true });
const capitals = (title: string): readonly string[] => title.match(/[A-Z]\w*/g) ?? [];
const terms = (): Promise<readonly string[]> => findSocialTerms(store, capitals);

test("orders names in the questions of open markets by the volume of their events", async () => {
  await store.insert(polymarketMarkets, [
    open(1, "small", "will Oslo flood", "10"),
    open(2, "large", "will Lima flood", "30"),
    open(3, "large", "will Quito flood", "25"),
    open(4, "middle", "will Turin flood", "40"),
    { ...open(5, "over", "will Paris flood", "900"), closed: true },
  ]);
  expect(await terms()).toEqual(["Lima", "Turin", "Oslo"]);
});

test("uses an event's title in place of its markets' questions", async () => {
  const flags = { closed: false, active: true, archived: false, neg_risk: false };
  const rest = { series_slug: "", volume: "0", market_count: 1, neg_risk_market_id: "", tags: [] };
  const dates = { start_date: "2026-04-01T12:00:00Z", created_date: "2026-04-01T12:00:00Z", end_date: null };
  await store.insert(polymarketEvents, [
    { event_id: "1", slug: "flood", title: "floods in Peru", ...flags, ...rest, ...dates },
  ]);
  await store.insert(polymarketMarkets, [open(1, "flood", "will Lima flood", "30")]);
  expect(await terms()).toEqual(["Peru"]);
});

test("orders events whose markets have no volume yet last", async () => {
  await store.insert(polymarketMarkets, [
    open(1, "new", "will Oslo flood", null),
    open(2, "old", "will Lima flood", "1"),
  ]);
  expect(await terms()).toEqual(["Lima", "Oslo"]);
});

test("lists a name once however it is written, and never one with fewer than three letters", async () => {
  await store.insert(polymarketMarkets, [
    open(1, "first", "will LIMA flood in Q4", "2"),
    open(2, "second", "will Lima flood", "1"),
  ]);
  expect(await terms()).toEqual(["LIMA"]);
});
