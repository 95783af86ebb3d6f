import { afterEach, expect, test, vi } from "vitest";
import { EXAMPLE_SAMPLE } from "../../src/definition/example-values.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";
import { findExampleValues, keepExampleValues, type AskRows } from "../../src/query/find-example-values.ts";

const answerOf = (rows: readonly object[]): Answer => ({ body: Buffer.from(JSON.stringify(rows)) }) as Answer;
/** A service whose board has a wallet as of these days. */
const bestOf =
  (days: readonly string[]): AskRows =>
  async (agentId, { as_of: day = "now" }) =>
    agentId === 579 && days.includes(day) ? [{ address: `best of ${day}` }] : [];
const never = new Promise<Answer>(() => undefined);

afterEach(() => vi.useRealTimers());

test("returns the values of the sample if the engine is busy for long", async () => {
  vi.useFakeTimers();
  const values = keepExampleValues(() => never, Date.now)();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await values).toEqual(EXAMPLE_SAMPLE.values);
});

test("waits only once for an engine that stays busy", async () => {
  vi.useFakeTimers();
  const values = keepExampleValues(() => never, Date.now);
  void values();
  await vi.advanceTimersByTimeAsync(10_000);
  // No time passes, so a caller that waited would wait forever.
  expect(await values()).toEqual(EXAMPLE_SAMPLE.values);
  await vi.advanceTimersByTimeAsync(120_001);
  expect(await values()).toEqual(EXAMPLE_SAMPLE.values);
});

test("returns values found before immediately while it looks for others", async () => {
  let now = 0;
  let isBusy = false;
  let looked = 0;
  const ask: Ask = async () => {
    looked += 1;
    return isBusy ? await never : answerOf([{ slug: "found", condition_ids: [] }]);
  };
  const values = keepExampleValues(ask, () => now);
  expect(await values()).toMatchObject({ tag: "found" });
  isBusy = true;
  const before = looked;
  now += 120_001;
  expect(await values()).toMatchObject({ tag: "found" });
  expect(looked).toBeGreaterThan(before);
});

test("looks for values again sooner while some are the sample's", async () => {
  let now = 0;
  let looked = 0;
  const ask: Ask = async () => {
    looked += 1;
    return answerOf([]);
  };
  const values = keepExampleValues(ask, () => now);
  await values();
  const before = looked;
  now += 15_000;
  await values();
  expect(looked).toBe(before);
  now += 1;
  await values();
  expect(looked).toBeGreaterThan(before);
});

test("finds the largest market that was talked about with one query for all of them", async () => {
  const requested: string[] = [];
  const ask: AskRows = async (agentId, { condition_id: conditions = "" }) => {
    if (agentId === 574) return [{ condition_id: "0xa" }, { condition_id: "0xb" }, { condition_id: "0xc" }];
    if (agentId !== 585) return [];
    requested.push(conditions);
    return [
      { condition_ids: ["0xc"], content: "not this one" },
      { condition_ids: ["0xd", "0xb"], content: "goals of the season" },
    ];
  };
  expect(await findExampleValues(ask, 0)).toMatchObject({ talked_condition: "0xb", word: "season" });
  expect(requested).toEqual(["0xa,0xb,0xc"]);
});

test("takes the example wallet from the board as of yesterday, or as of now if that is empty", async () => {
  const now = Date.parse("2026-11-26T00:09:00Z");
  expect(await findExampleValues(bestOf(["2026-11-25", "now"]), now)).toMatchObject({ wallet: "best of 2026-11-25" });
  expect(await findExampleValues(bestOf(["now"]), now)).toMatchObject({ wallet: "best of now" });
});

test.each([
  [["0xb", "0xc"], "0xb"],
  [[], "0xa"],
])("takes the best wallet that holds something as the example wallet (of %j)", async (holders, wallet) => {
  const ask: AskRows = async (agentId, params) => {
    if (agentId === 579) return ["0xa", "0xb", "0xc"].map((address) => ({ address }));
    if (agentId !== 1001 || params["proxy_wallet"] !== "0xa,0xb,0xc") return [];
    return holders.map((proxy_wallet) => ({ proxy_wallet }));
  };
  expect(await findExampleValues(ask, 0)).toMatchObject({ wallet });
});

test.each([
  [["KXB", "KXC"], ["KXA", "KXC"], "KXC"],
  [["KXB"], ["KXB"], "KXB"],
  [["KXB"], ["KXA"], "KXA"],
  [[], [], "KXA"],
])(
  "takes a last traded ticker with a book of a minute ago and candles as the example, if any has (%j, %j)",
  async (books, candles, ticker) => {
    const at = "1970-01-01T00:59:00Z";
    const ask: AskRows = async (agentId, params) => {
      if (agentId === 573) return [{ ticker: "KXA" }, { ticker: "KXB" }, { ticker: "KXA" }, { ticker: "KXC" }];
      const had = agentId === 1102 && params["start_time"] === at && params["end_time"] === at ? books : [];
      return (agentId === 1101 ? candles : had).includes(String(params["ticker"])) ? [params] : [];
    };
    expect(await findExampleValues(ask, 3_600_000)).toMatchObject({ ticker });
  },
);

test.each([
  [["2"], "2"],
  [[], "1"],
])(
  "takes a token with prints as the example, and with a book of a minute ago if any has (%j)",
  async (books, token) => {
    const at = "1970-01-01T00:59:00Z";
    const ask: AskRows = async (agentId, params) => {
      if (agentId === 556) return ["0", "1", "2"].map((token_id) => ({ token_id }));
      if (agentId === 1103) return ["1", "2", "1"].map((token_id) => ({ token_id }));
      const isThen = params["start_time"] === at && params["end_time"] === at;
      return agentId === 572 && isThen && books.includes(String(params["token_id"])) ? [params] : [];
    };
    expect(await findExampleValues(ask, 3_600_000)).toMatchObject({ token });
  },
);

test("takes a word of a title that a search finds: a whole one, without digits next to its letters", async () => {
  const title = String.raw`Wins at home, \u003cscript\u003e %3Cscript%3E`;
  const ask: AskRows = async (agentId) => (agentId === 565 ? [{ title }] : []);
  expect(await findExampleValues(ask, 0)).toMatchObject({ title_word: "Wins" });
});
