import { describe, expect, it } from "vitest";
import { sentimentOf } from "../../src/connectors/social/sentiment.ts";
import { stanceOf } from "../../src/connectors/social/stance.ts";

const sentiment = (text: string): number => Number(sentimentOf(text, "en"));

describe("sentiment of a post", () => {
  it.each([
    "Buying No at 12c",
    "Buying Yes at 88c",
    "Trump wins? 54c",
    "this market is killing it",
    "Recession odds jump to 60 %",
    "No shares at 0.12",
    "yes",
    "Bet on a war before the cut",
    "",
  ])("is neutral if the text only describes a market or a trade: %s", (text) => {
    expect(sentimentOf(text, "en")).toBe("0");
  });

  it("reflects the author's feeling", () => {
    expect(sentiment("I love this, what a great day")).toBeGreaterThan(0.3);
    expect(sentiment("Awful, I hate it")).toBeLessThan(-0.3);
    expect(sentiment("Happy with my Yes at 88c")).toBeGreaterThan(0);
    expect(sentiment("Happy with my No at 12c")).toBe(sentiment("Happy with my Yes at 88c"));
    expect(sentiment("😀😀")).toBeGreaterThan(0);
  });

  it('is negated by "no" unless that is the side of a market', () => {
    expect(sentiment("There is no good reason for it")).toBeLessThan(0);
    expect(sentiment("This is not good")).toBeLessThan(0);
  });

  it("is a decimal between -1 and 1 with at most six places, and deterministic", () => {
    for (const text of ["good", "bad luck", "#superb amazing wow 😀", "a ".repeat(900) + "good", "worst #disaster"]) {
      expect(sentimentOf(text, "en")).toMatch(/^(?:0|-?1|-?0\.\d{0,5}[1-9])$/);
      expect(sentimentOf(text, "en")).toBe(sentimentOf(text, "en"));
    }
  });

  it("is null in other languages, and if the language is unknown", () => {
    expect(["de", "", "eng", "ja"].map((lang) => sentimentOf("good", lang))).toEqual([null, null, null, null]);
    expect(sentimentOf("good", "en-GB")).toBe(sentimentOf("good", "en"));
  });

  it("handles names of built-in object properties, and long runs without a space", () => {
    expect(sentimentOf("constructor __proto__ #constructor hasOwnProperty", "en")).toBe("0");
    for (const text of ["#constructor\u017F", "#__PROTO__\u212A", "#Constructor_", "my_constructor good"]) {
      expect(sentimentOf(text, "en")).toMatch(/^(?:0|0\.\d+)$/);
    }
    for (const run of ["a", "1st", "a.", "😀", "http://", "a-", "("]) {
      expect(sentimentOf(run.repeat(20_000), "en")).toMatch(/^-?[01]/);
    }
  });
});

describe("stance of a post", () => {
  it.each([
    ["Buying No at 12c", "buy_no"],
    ["Buying Yes at 88c", "buy_yes"],
    ["Trump wins? 54c", "none"],
    ["this market is killing it", "none"],
    ["Recession odds jump to 60 %", "up"],
    ["bought 500 more YES shares @ $0.31", "buy_yes"],
    ["Loading up on NO here", "buy_no"],
    ["selling my Yes, done with it", "buy_no"],
    ["shorting no at 90c", "buy_yes"],
    ["buy no more lies", "none"],
    ["BUY NO MORE GAS CARS", "none"],
    ["bought no shares of Tesla this year", "none"],
    ["Yes, buy groceries on the way", "none"],
    ["Not buying Yes at 88c", "none"],
    ["I would never buy No at 5c", "none"],
    ["Should I buy Yes at 40c?", "none"],
    ["Buying Yes at 40c and selling Yes at 50c", "none"],
    ["I'd buy that. No way", "none"],
    ["Odds moved from 40% to 55% after the debate", "up"],
    ["54c → 48c in an hour", "down"],
    ["Polymarket has it up to 60% from 40%", "up"],
    ["No drops to 12c", "up"],
    ["the market fell to 12¢", "down"],
    ["Gas prices up 3%", "none"],
    ["Bitcoin down 5% today", "none"],
    ["temperature drops to 12c tonight", "none"],
    ["Odds up at 60%? They fell to 40% again, odds say", "none"],
    ["holding yes since 31c", "buy_yes"],
    ["", "none"],
  ] as const)("%s: %s", (text, stance) => {
    expect(stanceOf(text)).toBe(stance);
  });
});
