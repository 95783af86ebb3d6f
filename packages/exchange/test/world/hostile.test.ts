import { describe, expect, test } from "vitest";
import type { Happening } from "../../src/world/contract.ts";
import { HOSTILE_TEXTS } from "../../src/world/hostile/hostile-texts.ts";
import { isTalk } from "../../src/world/social-happenings.ts";
import { smallWorld } from "./small-world.ts";

const SIZES = { days: 0.15, events: 60, kalshi_markets: 20 };

/** Trades by time, market id and amount, without any text. */
const traded = (happenings: readonly Happening[]): string[] =>
  happenings.flatMap((happening) =>
    happening.kind === "match" ? [`${happening.ms} ${happening.market.condition_id} ${happening.taker.usd_micro}`] : [],
  );

type Texts = { events: string[]; markets: string[]; outcomes: string[]; kalshi: string[]; posts: string[] };

function textsOf(happenings: readonly Happening[]): Texts {
  const texts: Texts = { events: [], markets: [], outcomes: [], kalshi: [], posts: [] };
  for (const happening of happenings) {
    if (happening.kind === "post") texts.posts.push(happening.post.text);
    if (happening.kind === "market_created") {
      texts.events.push(happening.market.event.title);
      texts.markets.push(happening.market.question);
      texts.outcomes.push(...happening.market.outcomes);
    }
    if (happening.kind === "kalshi_lifecycle") texts.kalshi.push(happening.market.title);
  }
  return texts;
}

const isHostile = (text: string): boolean => HOSTILE_TEXTS.some((hostile) => text.includes(hostile));

const words = (happenings: readonly Happening[]): string[] =>
  happenings.filter(isTalk).flatMap((one) => (one.kind === "post" ? [one.post.text] : []));

describe("a world with hostile texts", () => {
  const plain = smallWorld(SIZES).happenings;
  const hostile = smallWorld({ ...SIZES, hostile: 0.5 }).happenings;

  test("has texts that depend only on its seed", () => {
    expect(textsOf(smallWorld({ ...SIZES, hostile: 0.5 }).happenings)).toEqual(textsOf(hostile));
  });

  test("has the same trades as the world without them", () => {
    expect(traded(plain).length).toBeGreaterThan(1000);
    expect(traded(hostile)).toEqual(traded(plain));
  });

  test("has them in every kind of text, in about the requested share", () => {
    for (const [where, texts] of Object.entries(textsOf(hostile))) {
      const share = texts.filter(isHostile).length / texts.length;
      expect(share, where).toBeGreaterThan(0.25);
      expect(share, where).toBeLessThan(0.8);
    }
  });

  test("keeps the outcomes of a market distinct", () => {
    for (const happening of hostile) {
      if (happening.kind !== "market_created") continue;
      expect(new Set(happening.market.outcomes).size).toBe(2);
    }
  });

  test("has none of them with a share of 0", () => {
    const none = smallWorld({ ...SIZES, hostile: 0 }).happenings;
    expect(words(none)).toEqual(words(plain));
    expect(textsOf(plain).markets.some(isHostile)).toBe(false);
  });
});
