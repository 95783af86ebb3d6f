import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market, table } from "../fixtures/sample-rows.ts";

const LONG = "Will the first team of the league win all of its home games before the end of";

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_markets"), [
    ...[1, 2, 3, 12].map((index) => market(index)),
    market(20, { slug: "league-may", question: `${LONG} May?` }),
    market(21, { slug: "league-june", question: `${LONG} June?` }),
  ]);
  query = openTestQuery(store);
});
afterAll(() => store.close());

const slugs = async (requested: string): Promise<string[]> =>
  (await query.rows(574, { params: { market_slug: requested } })).map((row) => String(row["slug"])).sort();

describe("market_slug of 574", () => {
  test("accepts a slug or a list of slugs, as in other datasets", async () => {
    expect(await slugs("rain-1")).toEqual(["rain-1"]);
    expect(await slugs("{rain-1}")).toEqual(["rain-1"]);
    for (const list of ["rain-1,rain-2", "{rain-1,rain-2}", ' { "rain-2" , rain-1 } ', "rain-1,rain-2,no-such-market"])
      expect(await slugs(list), list).toEqual(["rain-1", "rain-2"]);
    const many = Array.from({ length: 199 }, (_, at) => `nothing-with-such-a-slug-${at}`);
    expect(await slugs([...many, "rain-3"].join(","))).toEqual(["rain-3"]);
    expect(await slugs(many.join(","))).toEqual([]);
  });

  test("searches for words if no market has the slug, even if they contain commas", async () => {
    expect(await slugs("rain day 1")).toEqual(["rain-1", "rain-12"]);
    expect(await slugs("Rain, on day: 2?")).toEqual(["rain-2"]);
    expect(await slugs("rain,day,3")).toEqual(["rain-3"]);
    expect(await slugs(",")).toEqual([]);
  });

  test("requires each of many words to match", async () => {
    expect(await slugs(LONG)).toEqual(["league-june", "league-may"]);
    expect(await slugs(`${LONG} June`)).toEqual(["league-june"]);
    expect(await slugs(`${LONG} July`)).toEqual([]);
  });

  test("refuses more words, characters or slugs than the limits allow", async () => {
    const refusal = async (requested: string) =>
      query.answer(574, { params: { market_slug: requested } }).then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
    expect(await refusal("a ".repeat(51))).toContain("at most 50 words");
    expect(await refusal("ab".repeat(101))).toContain("at most 200 characters");
    expect(await refusal(Array.from({ length: 201 }, (_, at) => `rain-${at}`).join(","))).toContain(
      "at most 200 slugs",
    );
    await expect(query.answer(565, { params: { title: "a ".repeat(51) } })).rejects.toMatchObject({
      code: "INVALID_PARAMS",
    });
  });
});
