import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Happening } from "../../src/world/contract.ts";
import { createWorld } from "../../src/world/create-world.ts";
import { isTalk } from "../../src/world/social-happenings.ts";
import { NOON, smallWorld } from "./small-world.ts";

/** Hashes everything in the happenings, with markets and events by their ids. */
function digest(happenings: readonly Happening[]): string {
  const hash = createHash("sha256");
  for (const happening of happenings) {
    hash.update(
      JSON.stringify(happening, (key, value: unknown) => {
        if (key !== "market" && key !== "event") return value;
        const named = value as { condition_id?: string; ticker?: string; slug?: string };
        return named.condition_id ?? named.ticker ?? named.slug;
      }),
    );
  }
  return hash.digest("hex");
}

const SIZES = { days: 0.15, events: 40, wallets: 200, kalshi_markets: 10, activity: 2 };

describe("a world is a function of its seed", () => {
  const { world, happenings } = smallWorld(SIZES);

  test("the same seed produces the same happenings", () => {
    expect(digest(smallWorld(SIZES).happenings)).toBe(digest(happenings));
  });

  test("another seed produces other happenings", () => {
    expect(digest(smallWorld({ ...SIZES, seed: 8 }).happenings)).not.toBe(digest(happenings));
  });

  test("neither the size of time steps nor a late listener changes anything", () => {
    let now = world.start_ms;
    const later: Happening[] = [];
    const other = createWorld({ ...SIZES, seed: 7, clock: () => now, from_ms: world.start_ms });
    let seen = { last_seq: 0, last_talk_seq: 0 };
    while (now < NOON) {
      now = Math.min(NOON, now + 1_234_567);
      if (seen.last_seq === 0 && now > NOON - 5_000_000) {
        seen = other.truth();
        other.on((happening) => later.push(happening));
      }
      other.advanceTo(now);
    }
    expect(later.length).toBeGreaterThan(1000);
    expect(digest(later)).toBe(
      digest(happenings.filter((h) => h.seq > (isTalk(h) ? seen.last_talk_seq : seen.last_seq))),
    );
    expect(other.truth()).toEqual(world.truth());
    expect(other.walletTruth()).toEqual(world.walletTruth());
  });

  test("seq rises by one, and time never goes back", () => {
    expect(happenings.filter((h, i) => h.ms < (happenings[i - 1]?.ms ?? 0))).toHaveLength(0);
    for (const list of [happenings.filter(isTalk), happenings.filter((h) => !isTalk(h))]) {
      expect(list.filter((h, i) => h.seq !== i + 1)).toHaveLength(0);
    }
  });
});
