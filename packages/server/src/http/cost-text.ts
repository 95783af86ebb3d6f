import { SCAN_BASE, USUAL_COST } from "../definition/cost.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import { examplesOf } from "../definition/example-values.ts";
import { isAlwaysRequired } from "../definition/param.ts";
import { isScan } from "../query/cost.ts";
import { costOfExample } from "../query/cost-of-example.ts";

/** What a dataset's questions cost, in words; formats and rows are the same for all and in the guide. */
export function costText(dataset: DatasetDefinition): string {
  const { cost = {}, asOf, listed, params } = dataset;
  const { base = USUAL_COST.base, each = USUAL_COST.each, past, days } = cost;
  const isScanned = cost.base === undefined && listed === undefined && canScan(dataset);
  const hasLists = Object.values(params).some(({ isList, choices }) => isList && choices === undefined);
  const parts = [
    `${unitsText(base)} a page`,
    ...(isScanned ? [`${SCAN_BASE} where it filters and names no item`] : []),
    ...(hasLists ? [`${each} more for each further item of a list`] : []),
    ...(past === undefined ? [] : [`${past} in their place with \`${asOf}\``]),
    ...(days === undefined ? [] : [`as much again for every ${days} days of the window`]),
  ];
  const examples = examplesOf(dataset).map((example) => costOfExample(dataset, example));
  return `${parts.join(", ")}, rounded. The examples: ${examples.join(", ")}.`;
}

export const unitsText = (units: number): string => `${units} ${units === 1 ? "unit" : "units"}`;

/** Its parameters that are no list: a question with them alone. */
const canScan = (dataset: DatasetDefinition): boolean => {
  const single = Object.entries(dataset.params).filter(([, { isList }]) => !isList);
  return !Object.values(dataset.params).some(isAlwaysRequired) && isScan(dataset, Object.fromEntries(single));
};
