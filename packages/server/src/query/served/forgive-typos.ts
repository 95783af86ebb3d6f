import type { DatasetDefinition } from "../../definition/dataset.ts";
import { listItems } from "../../definition/param.ts";
import type { Bound } from "../../definition/sql.ts";
import { searchedWords } from "../../definition/filter.ts";
import type { HeldList } from "../../serving/list/held-list.ts";
import { SortedTerms } from "../../serving/list/terms.ts";
import type { ReadParams } from "../parse-params.ts";

/** The last known rows of a table, whose words searches are compared with; undefined if there are none. */
export type Vocabularies = (table: string) => HeldList | undefined;

/** A search with more unknown words is left as it is: each costs a tenth of a millisecond. */
const MAX_FORGIVEN = 4;

/**
 * Returns a corrected search text: words that begin no word of any row are replaced by the nearest word, among equals
 * the most frequent. Undefined if all are known, or if one has no near word, so that no row can match.
 */
export function forgiveTypos(
  { listed }: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  vocabularies: Vocabularies | undefined,
): string | undefined {
  if (listed?.searched === undefined) return undefined;
  const { param, column, elseOf } = listed.searched;
  const requested = given[param];
  const list = vocabularies?.(listed.table.name);
  if (requested === undefined || list === undefined) return undefined;
  const terms = list.termsOf(column);
  if (!(terms instanceof SortedTerms)) throw new TypeError(`${column} has no words`);
  const text = String(requested.value);
  const words = searchedWords(text);
  const unknown = words.filter((word) => !terms.beginningWith(word).some((rows) => countThere(list, rows) > 0));
  if (unknown.length === 0 || unknown.length > MAX_FORGIVEN) return undefined;
  if (
    elseOf !== undefined &&
    listItems(text.toLowerCase()).some((item) => countThere(list, list.termsOf(elseOf).rowsOf(item)) > 0)
  )
    return undefined;
  const instead = new Map<string, string>();
  for (const word of unknown) {
    const nearest = nearestOf(list, terms, word);
    if (nearest === undefined) return undefined;
    instead.set(word, nearest);
  }
  return words.map((word) => instead.get(word) ?? word).join(" ");
}

/** Returns parameters with the corrected search text in place of the requested one, and warnings that say so. */
export function searchingFor({ listed }: DatasetDefinition, read: ReadParams, text: string | undefined): ReadParams {
  const param = listed?.searched?.param;
  const requested = param === undefined ? undefined : read.given[param];
  if (param === undefined || requested === undefined || text === undefined) return read;
  const words = text.split(" ");
  const warnings = searchedWords(String(requested.value)).flatMap((word, index) =>
    word === words[index]
      ? []
      : [`params.${param}: "${word}" begins no word of any row; searched for "${words[index]}"`],
  );
  return {
    given: { ...read.given, [param]: { ...requested, value: text } },
    echo: { ...read.echo, [param]: text },
    warnings: [...read.warnings, ...warnings],
    isNowhere: read.isNowhere,
  };
}

function nearestOf(list: HeldList, terms: SortedTerms, requested: string): string | undefined {
  const known = terms.spellings
    .near(requested)
    .map(({ word, edits }) => ({ word, edits, count: countThere(list, terms.rowsOf(word)) }))
    .filter(({ count }) => count > 0);
  const [nearest] = known.toSorted(
    (one, other) => one.edits - other.edits || other.count - one.count || (one.word < other.word ? -1 : 1),
  );
  return nearest?.word;
}

function countThere(list: HeldList, rows: ArrayLike<number>): number {
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) if (list.isThere(rows[at] as number)) count += 1;
  return count;
}
