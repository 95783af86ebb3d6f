import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { madePost, type MadeEndpoints, NOON, openEndpoints } from "./made-posts.ts";

const QUARTER = 900_000;
const DAY = 86_400_000;

type Article = Record<string, string>;

const base = { mode: "artlist", format: "json", sort: "datedesc" };
const made = [
  madePost("gdelt", 1, NOON - 100 * DAY, { text: "Harbor bridge opens at last" }),
  madePost("gdelt", 2, NOON - 3 * DAY + 1, { text: "Harbor bridge closes: storm ahead, again?" }),
  madePost("gdelt", 3, NOON - 2 * DAY, { text: "Puente del puerto cerrado", langs: ["es"], handle: "diario.example" }),
  madePost("gdelt", 4, NOON - DAY, { text: "Council votes on harbor bridge", deleted_ms: NOON - 1000 }),
  madePost("bluesky", 5, NOON - DAY, { text: "Council votes on harbor bridge" }),
  madePost("gdelt", 37, NOON - 2 * QUARTER, { text: "A backslash in the headline" }),
  madePost("gdelt", 39, NOON - QUARTER / 2, { text: "Fresh from the press" }),
  ...Array.from({ length: 400 }, (_, place) =>
    madePost("gdelt", 1000 + place * 37 + 1, NOON - 20 * DAY + place * 60_000, { text: `Storm report ${place}` }),
  ),
].toSorted((left, right) => left.created_ms - right.created_ms);

let endpoints: MadeEndpoints;
beforeAll(async () => {
  endpoints = await openEndpoints(made);
});
afterEach(() => {
  endpoints.clock.now = NOON;
});
afterAll(() => endpoints.served.close());

const ask = (query: Record<string, string>) => endpoints.get("gdelt", "", { ...base, ...query });

async function articles(query: Record<string, string>): Promise<Article[]> {
  const { status, headers, text } = await ask(query);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("application/json");
  return (JSON.parse(text) as { articles?: Article[] }).articles ?? [];
}

const urls = async (query: Record<string, string>) => (await articles(query)).map(({ url }) => url?.split("/").at(-1));

const found = (query: string) => urls({ query });

describe("artlist", () => {
  test("returns articles with the quarter hour at which GDELT saw them, and titles in its format", async () => {
    const [article] = await articles({ query: '"bridge closes" sourcelang:english' });
    expect(article).toEqual({
      url: "https://harbordispatch.example/article-2",
      url_mobile: "",
      title: "Harbor bridge closes : storm ahead , again ?",
      seendate: "20260907T121500Z",
      socialimage: "",
      domain: "harbordispatch.example",
      language: "English",
      sourcecountry: "United States",
    });
  });

  test("filters by words, phrases and language", async () => {
    expect(await found("harbor bridge")).toEqual(["article-4", "article-2"]);
    expect(await found('"harbor bridge" council')).toEqual(["article-4"]);
    expect(await found("cerrado sourcelang:english")).toEqual([]);
    expect(await found("cerrado sourcelang:spanish")).toEqual(["article-3"]);
  });

  test("keeps an article that its author deletes, and omits it before it was seen", async () => {
    expect(await urls({ query: "council votes" })).toEqual(["article-4"]);
    endpoints.clock.now = NOON - 1;
    expect(await urls({ query: "press" })).toEqual([]);
    endpoints.clock.now = NOON;
    expect(await urls({ query: "press" })).toEqual(["article-39"]);
  });

  test("returns 75 articles, at most 250, and the rest by time windows", async () => {
    expect(await articles({ query: "storm report" })).toHaveLength(75);
    expect(await articles({ query: "storm report", maxrecords: "250" })).toHaveLength(250);
    expect((await ask({ query: "storm report", maxrecords: "251" })).text).toBe("Invalid maximum number of records.");
    const middle = "20260821T153000";
    const early = { startdatetime: "20260821000000", enddatetime: middle.replace("T", "") };
    const late = { startdatetime: middle.replace("T", ""), enddatetime: "20260823000000" };
    const both = await Promise.all(
      [early, late].map((window) => urls({ query: "storm report", maxrecords: "250", ...window })),
    );
    expect(new Set(both.flat()).size).toBe(400);
  });

  test("returns the newest first", async () => {
    expect((await found("storm report"))[0]).toBe(`article-${1000 + 399 * 37 + 1}`);
  });

  test("covers three months, and rejects an earlier start and an invalid end date", async () => {
    expect((await urls({ query: "harbor bridge" })).toSorted()).toEqual(["article-2", "article-4"]);
    expect((await ask({ query: "harbor bridge", startdatetime: "20260501000000" })).text).toContain("start date");
    expect((await ask({ query: "harbor bridge", enddatetime: "2026" })).text).toContain("end date");
  });

  test("does not escape a backslash, so that the body is not JSON", async () => {
    const { status, text } = await ask({ query: "backslash headline" });
    expect(status).toBe(200);
    expect(text).toContain("headline \\| harbordispatch.example");
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  test("returns an empty object if nothing matches", async () => {
    expect((await ask({ query: "nobody wrote this" })).text).toBe("{}");
  });
});

describe("a bad query", () => {
  test.each([
    ["a", "Your query was too short or too long."],
    ["x".repeat(5000), "Your query was too short or too long."],
    ['"Iran" storm', "The specified phrase is too short."],
    ["AI storm", "Your search contained a keyword that was too short."],
    ["f-16 storm", "illegal character"],
  ])("%j is rejected by a sentence with status 200", async (query, sentence) => {
    const { status, headers, text } = await ask({ query });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("text/html");
    expect(text).toContain(sentence);
  });

  test.each(["theme:TAX_FNCACT storm", "(harbor OR bridge)", "harbor -bridge"])(
    "%s returns 501 because its operator is not simulated",
    async (query) => {
      expect(await ask({ query })).toMatchObject({ status: 501 });
    },
  );

  test.each([{ sort: "dateasc" }, { format: "html" }, { mode: "timelinevol" }])(
    "%j returns 501 because the option is not simulated",
    async (form) => {
      expect(await ask({ query: "harbor", ...form })).toMatchObject({ status: 501 });
    },
  );
});

test("GDELT rejects more than one request every five seconds by a sentence with 429 or 200", async () => {
  const limited = await openEndpoints(made, true);
  const once = () => limited.get("gdelt", "", { ...base, query: "harbor" });
  try {
    expect((await once()).headers.get("content-type")).toContain("application/json");
    const refused = [await once(), await once()];
    expect(refused.map(({ status }) => status)).toEqual([429, 200]);
    for (const { text } of refused) expect(text).toContain("Please limit requests to one every 5 seconds");
    limited.clock.wall += 5000;
    expect((await once()).headers.get("content-type")).toContain("application/json");
  } finally {
    await limited.served.close();
  }
});
