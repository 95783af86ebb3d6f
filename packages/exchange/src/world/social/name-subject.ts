import type { MarketView } from "../polymarket/market-view.ts";
import { LISTS } from "../polymarket/wordings.ts";

/** A name contained in the question of a market. */
export interface SubjectName {
  text: string;
  list: string;
}

/** Word lists whose entries distinguish one question from another. */
const NAMING = [
  "person",
  "office",
  "country",
  "bill",
  "company",
  "city",
  "film",
  "award",
  "indicator",
  "coin",
  "team",
  "level",
  "number",
  "month",
  "product",
];
/** Words that distinguish questions with the same names. */
const TOPICS = [
  "ceasefire",
  "summit",
  "central bank",
  "hottest on record",
  "first snow",
  "top model",
  "reach",
  "run for",
];

const ENTRIES: readonly SubjectName[] = [
  ...NAMING.flatMap((list) => (LISTS[list] ?? []).map((text) => ({ text, list }))),
  ...TOPICS.map((text) => ({ text, list: "topic" })),
];

const found = new Map<string, readonly SubjectName[]>();

/** All names in a text, in order of appearance. */
export function namesIn(text: string): readonly SubjectName[] {
  const known = found.get(text);
  if (known !== undefined) return known;
  const names = ENTRIES.filter((entry) => text.includes(entry.text)).toSorted(
    (left, right) => text.indexOf(left.text) - text.indexOf(right.text),
  );
  found.set(text, names);
  return names;
}

/** Names that identify a market to a reader; includes its answer, if it is one of several. */
export function nameSubject(market: MarketView): readonly SubjectName[] {
  const names = namesIn(market.question);
  const answer = market.group_item_title;
  if (answer === "" || names.some((name) => name.text === answer)) return names;
  return [...names, { text: answer, list: "answer" }];
}
