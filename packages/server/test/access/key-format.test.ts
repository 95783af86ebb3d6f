import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf, isKey, newKey, prefixOf } from "../../src/access/find.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const key = fc.uint8Array({ minLength: 26, maxLength: 26 }).map((bytes) => newKey((count) => bytes.subarray(0, count)));

describe("an API key", () => {
  test("has the documented form and is recognised", () => {
    fc.assert(
      fc.property(key, (text) => {
        expect(text).toMatch(/^alm_live_[a-z2-7]{26}_[a-z2-7]{6}$/);
        expect(isKey(text)).toBe(true);
        expect(text.startsWith(prefixOf(text))).toBe(true);
        expect(prefixOf(text)).toHaveLength(15);
        expect(digestOf(text)).toHaveLength(32);
      }),
    );
  });

  test("is never generated twice", () => {
    expect(new Set(Array.from({ length: 5000 }, () => newKey())).size).toBe(5000);
  });

  test("is refused without a look-up if any one character is wrong", () => {
    const typo = fc.tuple(key, fc.nat({ max: 41 }), fc.constantFrom(...`${ALPHABET}ABZ019_-é `));
    fc.assert(
      fc.property(typo, ([text, place, char]) => {
        fc.pre(text[place] !== char);
        expect(isKey(text.slice(0, place) + char + text.slice(place + 1))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  test("is refused if two neighbours are swapped or a character is missing or doubled", () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 40 }), (text, place) => {
        const swapped = text.slice(0, place) + (text[place + 1] ?? "") + (text[place] ?? "") + text.slice(place + 2);
        if (swapped !== text) expect(isKey(swapped)).toBe(false);
        expect(isKey(text.slice(0, place) + text.slice(place + 1))).toBe(false);
        expect(isKey(text.slice(0, place) + (text[place] ?? "") + text.slice(place))).toBe(false);
      }),
    );
  });

  // CRC is linear over the characters' values, so a result for one position and difference holds for every key: trying
  // all 26 × 31 of them on one key is a proof, not a sample.
  test("every possible one-character difference changes the checksum", () => {
    const text = newKey();
    const [, , secret = "", checksum = ""] = text.split("_");
    let tried = 0;
    for (let place = 0; place < secret.length; place += 1) {
      for (const char of ALPHABET) {
        if (char === secret[place]) continue;
        tried += 1;
        expect(isKey(`alm_live_${secret.slice(0, place)}${char}${secret.slice(place + 1)}_${checksum}`)).toBe(false);
      }
    }
    expect(tried).toBe(26 * 31);
  });

  test.each(["", "alm_live_", "Bearer x", "alm_test_aaaaaaaaaaaaaaaaaaaaaaaaaa_aaaaaa", "a".repeat(100_000)])(
    "is not %.20s",
    (text) => {
      expect(isKey(text)).toBe(false);
    },
  );
});
