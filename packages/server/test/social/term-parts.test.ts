import { expect, test } from "vitest";
import { createTermFinder, type Entry } from "../../src/derivations/social/find-terms.ts";
import { foldText } from "../../src/derivations/social/fold-text.ts";

const entry = (word: string, concept: number): Entry => {
  const { plain, folded: text } = foldText(word);
  return { term: { text, plain, case: "any" }, concept, isName: false };
};

test("finds all terms, in text order, if they are too many for one automaton", () => {
  const entries = Array.from({ length: 30_001 }, (_, index) => entry(`w${index}`, index));
  const { find, size } = createTermFinder(entries);
  expect(size).toBe(30_001);
  const text = foldText("w30000, then w1, w29999 and w30000");
  expect(find(text).map(({ text: found }) => found)).toEqual(["w30000", "w1", "w29999", "w30000"]);
  expect(createTermFinder(entries.toReversed()).find(text)).toEqual(find(text));
});
