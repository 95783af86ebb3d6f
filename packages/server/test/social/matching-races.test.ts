import { describe, expect, it } from "vitest";
import { createMatcher } from "../../src/derivations/social/create-matcher.ts";
import type { MatchMarket } from "../../src/derivations/social/read-market.ts";

const DAY = 86_400_000;
const VOTE = Date.parse("2026-11-03T00:00:00Z");
const SEPTEMBER = Date.parse("2026-09-15T12:00:00Z");

const market = (event_title: string, question = event_title, change: Partial<MatchMarket> = {}): MatchMarket => ({
  condition_id: `0x${question}`,
  event_slug: event_title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-"),
  event_title,
  question,
  tags: [],
  opened_ms: VOTE - 300 * DAY,
  closed_ms: VOTE + DAY,
  ends_ms: VOTE,
  ...change,
});
const found = (text: string, markets: readonly MatchMarket[], at = SEPTEMBER): string[] =>
  createMatcher(markets)
    .match(text, at)
    .map(({ condition_id }) => condition_id.slice(2))
    .toSorted();
const ids = (markets: readonly MatchMarket[]): string[] =>
  markets.map(({ condition_id }) => condition_id.slice(2)).toSorted();

const MAYOR = "Port Ellis Mayoral Election";
const BRANDT = market(MAYOR, "Will Ada Brandt win the Port Ellis mayoral election?");
const KEMPSON = market(MAYOR, "Will Boris Kempson win the Port Ellis mayoral election?");
const US = { tags: ["US Election"] };
const OLSENBY = market(
  "Presidential Election Winner 2026",
  "Will Greta Olsenby win the 2026 presidential election?",
  US,
);
const WEILAND = market(
  "Presidential Election Winner 2026",
  "Will Jonas Weiland win the 2026 presidential election?",
  US,
);
const DEBATE = market("Another Weiland-Olsenby debate before the election?");
const POPULAR = market("Popular vote winner", "Will Greta Olsenby win the popular vote?", US);
const FAR = market("Presidential Election Winner 2032", "Will Greta Olsenby win the 2032 presidential election?", {
  ends_ms: VOTE + 2190 * DAY,
  closed_ms: VOTE + 2190 * DAY,
});
const STATE = "Michigan Presidential Election Winner";
const RED = market(STATE, "Will a Republican win Michigan Presidential Election?", US);
const BLUE = market(STATE, "Will a Democrat win Michigan Presidential Election?", US);
const NOMINEE = market("Republican VP nominee", "Will Ada Brandt be the Republican VP nominee?");

describe("election markets", () => {
  it.each([
    ["Brandt draws a crowd at her rally", [BRANDT]],
    ["Vote Brandt!", [BRANDT]],
    ["Kempson and Brandt shook hands", [BRANDT, KEMPSON]],
    ["Brandt opened a bakery", []],
  ] as const)("match a candidate's last name with campaign words: %s", (text, markets) => {
    expect(found(text, [BRANDT, KEMPSON])).toEqual(ids(markets));
  });

  it("match campaign words from half a year before the vote until it is counted", () => {
    const said = (at: number): number => found("Brandt leads the polls", [BRANDT], at).length;
    expect([VOTE - 184 * DAY, VOTE - 183 * DAY, VOTE + DAY, VOTE + 2 * DAY].map(said)).toEqual([0, 1, 1, 0]);
    expect(found("Brandt leads the polls", [{ ...BRANDT, ends_ms: undefined }])).toEqual([]);
  });

  it("match the name alone, near the vote, of a candidate in three races and few other markets", () => {
    const all = [OLSENBY, WEILAND, DEBATE, POPULAR];
    expect(found("Olsenby visits a school", all)).toEqual(ids([OLSENBY]));
    expect(found("Olsenby visits a school", all, VOTE - 101 * DAY)).toEqual([]);
    const others = ["Will Olsenby sing?", "Will Olsenby dance?"].map((title) => market(title));
    expect(found("Olsenby visits a school", [...all, ...others])).toEqual([]);
  });

  it("that are far off match only if the text names their year", () => {
    expect(found("Olsenby for the presidential election", [FAR])).toEqual([]);
    expect(found("Olsenby for the presidential election of 2032", [FAR])).toEqual(ids([FAR]));
  });

  it.each([
    ["Michigan voters, the polls are open", [RED, BLUE]],
    ["Michigan voters, elect your sheriff", []],
    ["Michigan's lakes", []],
    ["Voters of Ohio", []],
  ] as const)("match a state's name with voting words: %s", (text, markets) => {
    expect(found(text, [RED, BLUE])).toEqual(ids(markets));
  });

  it("of a whole country match words of voting, unless they are about a lower office", () => {
    expect(found("Early voting began today", [OLSENBY, WEILAND])).toEqual(ids([OLSENBY, WEILAND]));
    expect(found("Early voting for the school board began today", [OLSENBY, WEILAND])).toEqual([]);
    expect(found("Early voting began in 2020", [OLSENBY, WEILAND])).toEqual([]);
  });

  it("for a party's nomination match only words of a nomination", () => {
    expect(found("Brandt leads the polls", [NOMINEE])).toEqual([]);
    expect(found("Brandt, the nominee?", [NOMINEE])).toEqual(ids([NOMINEE]));
  });
});

describe("markets about two parties", () => {
  const PEACE = market("Russia x Ukraine ceasefire by March?");
  it.each([
    ["Weiland and Olsenby will debate again", [DEBATE]],
    ["Olsenby did well in the debate", []],
  ] as const)("match only if the text is about both: %s", (text, markets) => {
    expect(found(text, [DEBATE], VOTE - 200 * DAY)).toEqual(ids(markets));
  });

  it.each([
    ["Putin told Kyiv that he wants peace", [PEACE]],
    ["the war between Russia and Ukraine goes on", [PEACE]],
    ["Russia wants peace", []],
    ["Ukraine's harvest goes to Russia", []],
  ] as const)("recognise leaders and capitals as their country: %s", (text, markets) => {
    expect(found(text, [PEACE])).toEqual(ids(markets));
  });
});

describe("matches what a market's question asks", () => {
  const ACT = market("Clean Rivers Act signed into law in 2026?");
  const BAN = market("US bans TikTok before 2027?");
  const GAS = market("How low will gas prices in the US get in 2026?");
  const TARIFFS = market("Will Trump lower tariffs on China?");
  const OUT = market("Ada Brandt out as Mayor in 2026?");
  const COURT = market("Will the Supreme Court rule in favor of Trump's tariffs?");
  it.each([
    ["The Clean Rivers Act is a gift", [ACT]],
    ["Clean rivers are a gift", []],
    ["SAVE TIK TOK", [BAN]],
    ["I saw it on TikTok", []],
    ["Gas prices in the US fall", [GAS]],
    ["The US sells gas and oil", []],
    ["Tariffs on China go down, says Trump", [TARIFFS]],
    ["Trump says tariffs are great", []],
    ["Brandt resigned as mayor", [OUT]],
    ["Brandt went out as mayor of ceremonies", []],
    ["The Supreme Court hears the tariffs case", [COURT]],
    ["Supreme Court rule of law", []],
  ] as const)("%s", (text, markets) => {
    expect(found(text, [ACT, BAN, GAS, TARIFFS, OUT, COURT])).toEqual(ids(markets));
  });
});
