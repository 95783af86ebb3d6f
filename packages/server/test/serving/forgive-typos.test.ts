import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { kalshiMarketsDataset } from "../../src/datasets/kalshi-markets.ts";
import { polymarketMarketsDataset } from "../../src/datasets/polymarket-markets.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { bind } from "../../src/definition/sql.ts";
import { forgiveTypos } from "../../src/query/served/forgive-typos.ts";
import { HeldList } from "../../src/serving/list/held-list.ts";
import { listedOf } from "../../src/serving/list/read-rows.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market, table } from "../fixtures/sample-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-typos-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A list of markets: `put` adds one with the given words, `forgiven` returns what is searched for instead. */
function listOf(dataset: DatasetDefinition) {
  const { unique } = listedOf(dataset);
  const list = new HeldList(mkdtempSync(join(folder, "list-")), listedOf(dataset));
  let version = 0;
  const put = (key: string, words: string, slug = ""): void => {
    version += 1;
    list.put({ text: Buffer.from(words), shown: 0, values: { [unique]: key, search: ` ${words}`, slug }, version });
    list.settle();
  };
  const param = listedOf(dataset).searched?.param ?? "";
  const forgiven = (text: string) => forgiveTypos(dataset, { [param]: bind("String", text) }, () => list);
  return { put, forgiven };
}

test("replaces a word that no row has with the nearest one, or the most frequent of several", () => {
  const { put, forgiven } = listOf(kalshiMarketsDataset);
  put("a", "rain election");
  put("b", "ruin elections");
  put("c", "ruin");
  expect(forgiven("elecion")).toBe("election");
  expect(forgiven("rxin")).toBe("ruin");
  expect(forgiven("RXIN, elecion")).toBe("ruin election");
  expect(forgiven("elec rxin")).toBe("elec ruin");
  put("d", "rain");
  put("e", "rain");
  expect(forgiven("rxin")).toBe("rain");
});

test("replaces nothing if all words are found, one has no near word, or too many are unknown", () => {
  const { put, forgiven } = listOf(kalshiMarketsDataset);
  put("a", "rain election");
  for (const text of ["election", "elec RAIN", "", "elecion snow", "elecion 2027", "rxin rann raiin rian rai1 raxn"])
    expect(forgiven(text), text).toBeUndefined();
  expect(forgiveTypos(kalshiMarketsDataset, {}, () => undefined)).toBeUndefined();
});

test("forgets the words of replaced rows", () => {
  const { put, forgiven } = listOf(kalshiMarketsDataset);
  put("a", "election");
  put("a", "elation");
  expect(forgiven("election")).toBe("elation");
  expect(forgiven("elaction")).toBe("elation");
});

test("does not treat an existing market slug as a misspelt word", () => {
  const { put, forgiven } = listOf(polymarketMarketsDataset);
  put("0x1", "election", "elecion");
  expect(forgiven("elecion")).toBeUndefined();
  expect(forgiven("elecion,electtion")).toBeUndefined();
  expect(forgiven("electtion")).toBe("election");
});

test("answers with the corrected word, warns about it, and continues the walk with it", async () => {
  const store = await openTestStore();
  const markets = Array.from({ length: 5 }, (_, index) => market(index));
  await store.insert(table("polymarket_markets"), [
    ...markets,
    market(8, { slug: "the-election", event_slug: "vote", question: "Will the election be held?" }),
  ]);
  const query = await openServedQuery(store, Date.now);
  const asking = (market_slug: string, pagination = {}) =>
    query.answer(574, { params: { market_slug, sort_by: "end_date" }, pagination });
  const [wanted, found] = [await asking("election held"), await asking("Elecion held")];
  expect(found.rowCount).toBe(1);
  expect(found.body.toString()).toBe(wanted.body.toString());
  expect(wanted.warnings).toEqual([]);
  expect(found.warnings).toEqual(['params.market_slug: "elecion" begins no word of any row; searched for "election"']);
  expect(found.params["market_slug"]).toBe("election held");
  expect(await asking("elecion nothing")).toMatchObject({ rowCount: 0, warnings: [] });
  const first = await asking("raiin", { limit: 2 });
  // The list is gone, so the engine continues the walk.
  await store.insert(table("polymarket_markets"), [market(9, { slug: "raiin", question: "raiin" })]);
  const second = await asking("raiin", { limit: 10, cursor: first.nextCursor });
  expect([first.rowCount, second.rowCount]).toEqual([2, 3]);
  expect(second.warnings).toEqual(first.warnings);
  await query.caughtUp();
  expect(await asking("raiin")).toMatchObject({ rowCount: 1, warnings: [] });
  expect(query.failures).toEqual([]);
  await query.close();
  await store.close();
});
