import { tables } from "../../../src/catalogue.ts";
import type { Listener } from "./hear-statements.ts";

/** Rows that may be read per row returned. */
const TIMES = 20;
/** The engine reads whole granules: a page begins and ends inside some, and each key of a list is in one of its own. */
const GRANULES = 8;
const ENGINES_OWN = 8192;

const granularities = new Map<string, number>();
for (const { name, copies = {}, granularity = {} } of tables) {
  granularities.set(name, granularity.own ?? ENGINES_OWN);
  for (const copy of Object.keys(copies)) granularities.set(copy, granularity.copies ?? ENGINES_OWN);
}

/** The stored tables that a statement reads, each as often as it is read. */
export const tablesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:FROM|JOIN) (\w+)/g)]
    .map(([, name]) => String(name))
    .filter((name) => granularities.has(name));

/** The number of rows a statement may read. */
export function maxRows({ text, keys, returned }: Listener): number {
  const granule = tablesIn(text).reduce((sum, name) => sum + (granularities.get(name) ?? 0), 0);
  return TIMES * (returned + 1) + (GRANULES + keys) * granule;
}
