import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecordedBooks } from "../../../exchange/src/record/clob-books.ts";
import { answeredSides, sideText } from "../../../../scripts/recorded/book-text.ts";
import { openHouse, type House } from "../../../../scripts/recorded/open-house.ts";
import { runRecorded } from "../../../../scripts/recorded/run-recorded.ts";
import { countOf, isWhole, type StreamCount } from "../../../../scripts/recorded/stream-count.ts";
import { Tally } from "../../../../scripts/recorded/tally.ts";
import { noRecordings, RECORDINGS } from "./recordings.ts";

const COMMAND = fileURLToPath(new URL("../../../../scripts/recorded.ts", import.meta.url));
/** The large recordings in part; `npm run recorded` takes them whole. */
const PART = { tokens: 6, candleMarkets: 20, wallets: 8 };

describe.skipIf(noRecordings)(`recorded streams${noRecordings ? `: ${noRecordings}` : ""}`, () => {
  let house: House;
  const counts = new Map<string, StreamCount>();

  beforeAll(async () => {
    house = await openHouse(RECORDINGS);
    for await (const count of runRecorded(house, PART)) counts.set(count.stream, count);
  });
  afterAll(() => house.close());

  it("stores and answers every row that went in, once", () => {
    expect(counts.size).toBe(17);
    expect([...counts.values()].filter((count) => !isWhole(count))).toEqual([]);
  });

  it.each([
    ["Gamma markets", 299, 299],
    ["Gamma events", 4972, 4972],
    ["Kalshi series", 241, 241],
    ["Kalshi candles, both schemas", 93, 93],
  ])("takes all of %s", (stream, given, unique) => {
    expect(counts.get(stream)).toMatchObject({ in: given, unique, stored: unique });
  });

  it("gives a book as it stood a millisecond after each recorded moment", async () => {
    let token: string | undefined;
    const moments: { ms: number; sides: string }[] = [];
    for await (const book of readRecordedBooks(RECORDINGS)) {
      token ??= book.asset_id;
      if (book.asset_id !== token) continue;
      moments.push({ ms: Number(book.timestamp), sides: `${sideText(book.bids)} / ${sideText(book.asks)}` });
    }
    expect(moments.length).toBeGreaterThan(10);
    for (const { ms, sides } of moments) {
      const moment = String(ms + 1);
      const params = { token_id: token ?? "", start_time: moment, end_time: moment };
      expect((await house.query.rows(572, { params })).map(answeredSides)).toEqual([sides]);
    }
  });

  it("takes the double rows of the candles once", () => {
    const candles = counts.get("Kalshi candles of the NBA");
    expect(candles?.in).toBeGreaterThan(candles?.unique ?? 0);
  });

  it("sets aside changes only of the tokens whose book could not be trusted, and few", () => {
    const changes = counts.get("market socket, form of 2025: changes");
    expect(changes?.in).toBeGreaterThan(15_000);
    expect(changes?.setAside ?? 0).toBeLessThan((changes?.in ?? 0) * 0.02);
    expect(counts.get("market socket, five-minute markets: books")?.setAside).toBeUndefined();
  });

  it("rebuilds the books of 2025 so that all but one in a hundred is explained", () => {
    const { compared = 0, other = 0 } = counts.get("market socket, form of 2025: books")?.rebuilt ?? {};
    expect(compared).toBeGreaterThan(800);
    expect(other).toBeLessThan(compared / 100);
  });
});

describe("the count of a stream", () => {
  it.each([
    ["all rows as recorded", ["a", "b"], ["b", "a"], 2, true],
    ["alike rows, each answered", ["a", "a"], ["a", "a"], 2, true],
    ["a lost row", ["a", "b"], ["a"], 2, false],
    ["a doubled row", ["a"], ["a", "a"], 1, false],
    ["a row that is not as recorded", ["a"], ["c"], 1, false],
    ["a row answered and not stored", ["a", "b"], ["a", "b"], 1, false],
    ["nothing at all", [], [], 0, false],
  ])("judges %s", (_name, recorded, answered, stored, whole) => {
    const count = countOf("s", tallied(recorded, answered), { in: recorded.length, stored });
    expect(isWhole(count)).toBe(whole);
  });

  it("takes a row set aside for not stored, unless it was answered", () => {
    const tally = tallied(["a", "b"], ["a"]);
    expect([tally.setAside("a"), tally.setAside("b"), tally.setAside("b")]).toEqual([false, true, false]);
    expect(isWhole(countOf("s", tally, { in: 2, stored: 1 }))).toBe(true);
    expect(isWhole(countOf("s", tally, { in: 2, stored: 2 }))).toBe(false);
  });
});

describe("npm run recorded", () => {
  it("explains itself", () => {
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("--part N") as string });
  });

  it("says where it looked when there are no recordings, and fails", () => {
    expect(run("--dir", "/nowhere")).toMatchObject({
      status: 1,
      stderr: "recorded: there are no recordings at /nowhere; say --dir\n",
    });
  });
});

function tallied(recorded: string[], answered: string[]): Tally {
  const tally = new Tally();
  for (const key of recorded) tally.add(key);
  for (const key of answered) tally.answer(key);
  return tally;
}

function run(...args: string[]) {
  return spawnSync(process.execPath, [COMMAND, ...args], { encoding: "utf8" });
}
