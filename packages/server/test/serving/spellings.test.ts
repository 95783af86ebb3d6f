import { expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { editsBetween, Spellings } from "../../src/serving/list/spellings.ts";
import { drawOf } from "./random-fills.ts";

function near(words: readonly string[], requested: string): string[] {
  const spellings = new Spellings();
  for (const word of words) spellings.add(word);
  return spellings
    .near(requested)
    .map(({ word, edits }) => `${word} ${edits}`)
    .toSorted();
}

test.each([
  ["elecion", "election", 1],
  ["electtion", "election", 1],
  ["elektion", "election", 1],
  ["eletcion", "election", 1],
  ["eletcoin", "election", 2],
  ["election", "election", 0],
  ["ca", "abc", 3],
  ["", "abc", 3],
  ["abc", "", 3],
])("turns %j into %j with %j edits", (one, other, edits) => {
  expect(editsBetween(one, other)).toBe(edits);
  expect(editsBetween(other, one)).toBe(edits);
});

test.each([
  ["one edit from four letters on", "mar", ["mars", "mat"], []],
  ["a letter is missing", "bitcin", ["bitcoin", "bitten"], ["bitcoin 1"]],
  ["a letter too many", "raiin", ["rain", "train"], ["rain 1"]],
  ["another letter", "rein", ["rain", "ruin", "re"], ["rain 1", "ruin 1"]],
  ["neighbours swapped", "rian", ["rain"], ["rain 1"]],
  ["two edits are too many for seven letters", "bitcnio", ["bitcoin"], []],
  ["and not for eight", "elektoin", ["election"], ["election 2"]],
  ["three are", "elkktoin", ["election"], []],
  ["the first letter stands", "lection", ["election"], []],
  ["nor is it swapped", "arin", ["rain"], []],
  ["words with digits are not misspelt", "2027", ["2026"], []],
  ["nor are they searched for instead", "btcs", ["btc5"], []],
  ["letters of any alphabet", "σοφς", ["σοφος", "σοφοσ"], ["σοφος 1"]],
])("%s", (_what, requested, words, found) => {
  expect(near(words, requested)).toEqual(found);
});

test("finds the same random words as counting the edits of every word does", () => {
  const { below } = drawOf(seededRandom());
  const word = (): string => Array.from({ length: 3 + below(9) }, () => "abcd"[below(4)]).join("");
  const words = [...new Set(Array.from({ length: 3_000 }, word))];
  let found = 0;
  for (let turn = 0; turn < 50; turn += 1) {
    const requested = word();
    const most = requested.length < 4 ? -1 : requested.length < 8 ? 1 : 2;
    const all = words
      .map((one) => ({ one, edits: editsBetween(requested, one) }))
      .filter(({ one, edits }) => one[0] === requested[0] && edits <= most)
      .map(({ one, edits }) => `${one} ${edits}`);
    expect(near(words, requested)).toEqual(all.toSorted());
    found += all.length;
  }
  expect(found).toBeGreaterThan(50);
});
