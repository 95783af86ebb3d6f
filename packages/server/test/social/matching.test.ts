import { describe, expect, it } from "vitest";
import { createMatcher } from "../../src/derivations/social/create-matcher.ts";
import type { MatchMarket } from "../../src/derivations/social/read-market.ts";

const NOON = Date.parse("2026-02-01T12:00:00Z");
const HOUR = 3_600_000;

const market = (event_title: string, question = event_title, change: Partial<MatchMarket> = {}): MatchMarket => ({
  condition_id: `0x${question}`,
  event_slug: event_title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-"),
  event_title,
  question,
  tags: [],
  opened_ms: NOON - 24 * HOUR,
  closed_ms: NOON + 24 * HOUR,
  ...change,
});
const found = (text: string, markets: readonly MatchMarket[], at = NOON): string[] =>
  createMatcher(markets)
    .match(text, at)
    .map(({ condition_id }) => condition_id.slice(2));

const CUP = "2026 Stanley Cup Champion";
const PANTHERS = market(CUP, "Will the Florida Panthers win the 2026 Stanley Cup?", { tags: ["Sports", "NHL"] });
const CAPITALS = market(CUP, "Will the Washington Capitals win the 2026 Stanley Cup?", { tags: ["Sports", "NHL"] });
const GREENLAND = market("Will Trump acquire Greenland before 2027?");
const FED = market("Fed rate cut by March?");
const CEASEFIRE = market("Russia x Ukraine ceasefire by June?");
const POWELL = market("Jerome Powell out as Fed Chair in 2026?");
const BITCOIN = market("What price will Bitcoin hit in 2026?", "Will Bitcoin reach $150,000 in 2026?");
const WINDOW = market("Bitcoin Up or Down - February 1, 7:00AM-7:05AM ET");
const NYC = market("New York City Mayoral Election", "Will Zohran Mamdani win the NYC mayoral election?");
const ALL = [PANTHERS, CAPITALS, GREENLAND, FED, CEASEFIRE, POWELL, BITCOIN, WINDOW, NYC];

describe("markets that a text is about", () => {
  it.each([
    ["The Florida Panthers will lift the Stanley Cup again", [PANTHERS]],
    ["the florida panthers' stanley cup run", [PANTHERS]],
    ["#FloridaPanthers #StanleyCup", [PANTHERS]],
    ["Is it Panthers or Capitals for the Stanley Cup?", [PANTHERS, CAPITALS]],
    ["We saw two panthers near the stanley cup factory", []],
    ["The Florida Panthers play tonight", []],
    ["TRUMP WILL ACQUIRE GREENLAND, HE SAYS", [GREENLAND]],
    ["Greenland's glaciers", []],
    ["Will the Federal Reserve cut its rate?", [FED]],
    ["He fed the cat, cut the cake, what a rate", []],
    ["Ukrainian and Russian envoys agree on a cease-fire", [CEASEFIRE]],
    ["Powell to resign as chair of the Fed", [POWELL]],
    ["Colin Powell to resign as chair of the Fed", []],
    ["Powell speaks at the Fed today", []],
    ["Bitcoin at 150k by summer", [BITCOIN]],
    ["$BTC to 150,000 next", [BITCOIN]],
    ["bitcoin up today", []],
    ["https://polymarket.com/event/bitcoin-up-or-down-february-1-7-00am-7-05am-et", [WINDOW]],
    ["Mamdani leads the mayoral election polls in NYC", [NYC]],
    ["", []],
  ] as const)("%s", (text, markets) => {
    expect(found(text, ALL).toSorted()).toEqual(markets.map(({ condition_id }) => condition_id.slice(2)).toSorted());
  });

  it("include only markets that were open at the time of the text", () => {
    const text = "Trump wants to acquire Greenland";
    expect(found(text, ALL, GREENLAND.opened_ms - 1)).toEqual([]);
    expect(found(text, ALL, GREENLAND.opened_ms)).toHaveLength(1);
    expect(found(text, ALL, GREENLAND.closed_ms)).toHaveLength(1);
    expect(found(text, ALL, GREENLAND.closed_ms + 1)).toEqual([]);
  });

  it("exclude a market if the text names another year", () => {
    expect(found("The Florida Panthers won the Stanley Cup in 2024", ALL)).toEqual([]);
    expect(found("The Florida Panthers win the Stanley Cup in 2026", ALL)).toHaveLength(1);
  });

  it("require the market's words near each other", () => {
    expect(found(`Trump spoke. ${"And so on and on. ".repeat(40)} They acquire Greenland`, [GREENLAND])).toHaveLength(
      1,
    );
    expect(found(`Greenland. ${"And so on and on. ".repeat(40)} They acquire a dog`, [GREENLAND])).toEqual([]);
  });

  it("ignore a last name that two people share", () => {
    const harris = market("Will Kamala Harris run in 2028?", undefined, {});
    const other = market("Most triples", "Will Michael Harris hit the most triples?", { tags: ["MLB"] });
    expect(found("Michael Harris hits triples", [harris, other])).toHaveLength(1);
    expect(found("Harris hits triples", [harris, other])).toEqual([]);
  });

  it("are none if the text would match more than fifty", () => {
    const many = Array.from({ length: 51 }, (_, index) =>
      market(`Will Trump acquire Greenland before ${2030 + index}?`, undefined, { event_slug: `g-${index}` }),
    );
    expect(found("Trump will acquire Greenland", many.slice(1))).toHaveLength(50);
    expect(found("Trump will acquire Greenland", many)).toEqual([]);
  });

  it("match a name with particles as one unit", () => {
    const prize = market("Nobel Peace Prize", "Will Ursula von der Leyen win the Nobel Peace Prize?");
    expect(found("Ursula von der Leyen spoke of trade", [prize])).toEqual([]);
    expect(found("The Nobel Peace Prize for von der Leyen? No, for Ursula von der Leyen!", [prize])).toHaveLength(1);
  });

  it("handle the name of a built-in object property as an ordinary word", () => {
    const race = market("F1 Miami Grand Prix: Constructor Scores 1st");
    expect(found("the constructor of a class", [race])).toEqual([]);
    expect(found("F1 Miami Grand Prix: Constructor Scores 1st", [race])).toHaveLength(1);
  });

  it("never throw, whatever the text", () => {
    for (const text of [
      "\u0000",
      "\ud800",
      "😀".repeat(9000),
      "a ".repeat(50_000),
      "İ".repeat(300),
      "%00$&\\1",
      "ﬁ Greenland",
    ]) {
      expect(() => found(text, ALL)).not.toThrow();
    }
  });
});

const ids = (markets: readonly MatchMarket[]): string[] => markets.map(({ condition_id }) => condition_id.slice(2));

describe("a text that contains a market's wording verbatim", () => {
  const marchFilm = market(
    "Which film wins Best Director in March?",
    "Which film wins Best Director in March: Low Sun?",
  );
  const marchOther = market(
    "Which film wins Best Director in March?",
    "Which film wins Best Director in March: Other?",
  );
  const aprilFilm = market(
    "Which film wins Best Director in April?",
    "Which film wins Best Director in April: Low Sun?",
  );
  const films = [marchFilm, marchOther, aprilFilm];

  it("matches only that market, not similar ones, if it is a question", () => {
    expect(found("hot take, which film wins best director in march: low sun? 📈", films)).toEqual(ids([marchFilm]));
  });

  it("matches all markets of an event if it is the title without an answer", () => {
    expect(found("Which film wins Best Director in March?", films).toSorted()).toEqual(
      ids([marchFilm, marchOther]).toSorted(),
    );
  });

  it("is still searched for other markets in the words outside the question", () => {
    const text =
      "Which film wins Best Director in April: Low Sun? Also: Mamdani leads the mayoral election polls in NYC";
    expect(found(text, [...films, NYC]).toSorted()).toEqual(ids([aprilFilm, NYC]).toSorted());
  });

  it("matches the market of the month it names, not of another month", () => {
    const heat = [
      market("Will March be the hottest on record in Chicago?"),
      market("Will April be the hottest on record in Chicago?"),
    ];
    expect(found("Chicago: hottest April on record, they say", heat)).toEqual(ids(heat.slice(1)));
  });
});
