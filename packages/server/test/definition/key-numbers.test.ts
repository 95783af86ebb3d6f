import { expect, test } from "vitest";
import { KeyNumbers } from "../../src/definition/key-numbers.ts";

test("numbers keys in the order of their first occurrence, however many there are", () => {
  const numbers = new KeyNumbers(2);
  const words = Uint32Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? index >>> 7 : index << 20));
  const known = new Map<string, number>();
  for (let at = 0; at < words.length; at += 2) {
    const key = `${words[at]} ${words[at + 1]}`;
    expect(numbers.find(words, at)).toBe(known.get(key) ?? -1);
    if (!known.has(key)) known.set(key, known.size);
    expect(numbers.of(words, at)).toBe(known.get(key));
  }
  expect(numbers.count).toBe(known.size);
  expect(known.size).toBeGreaterThan(2_000);
  for (const [key, number] of known) expect(`${numbers.word(number, 0)} ${numbers.word(number, 1)}`).toBe(key);
  expect(new Uint32Array(numbers.bytes(1).slice().buffer)).toEqual(
    Uint32Array.of(numbers.word(1, 0), numbers.word(1, 1)),
  );
});
