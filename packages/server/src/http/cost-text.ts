import { SCAN_BASE, USUAL_COST } from "../definition/cost.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import { examplesOf } from "../definition/example-values.ts";
import { isAlwaysRequired } from "../definition/param.ts";
import { isScan, costOfExample } from "../query/cost.ts";

/** Describes in words what a dataset's queries cost; the guide covers formats and rows, which are the same for all. */
export function costText(dataset: DatasetDefinition): string {
  const { cost = {}, asOf, listed, params } = dataset;
  const { base = USUAL_COST.base, each = USUAL_COST.each, past, days } = cost;
  const isScanned = cost.base === undefined && listed === undefined && canScan(dataset);
  const hasLists = Object.values(params).some(({ isList, choices }) => isList && choices === undefined);
  const parts = [
    `${unitsText(base)} a page`,
    ...(isScanned ? [`${SCAN_BASE} if it filters without naming an item`] : []),
    ...(hasLists ? [`${each} more for each further item of a list`] : []),
    ...(past === undefined ? [] : [`${past} instead with \`${asOf}\``]),
    ...(days === undefined ? [] : [`as much again for every ${days} days of the window`]),
  ];
  const examples = examplesOf(dataset).map((example) => costOfExample(dataset, example));
  return `${parts.join(", ")}, rounded. The examples: ${examples.join(", ")}.`;
}

export const unitsText = (units: number): string => `${units} ${units === 1 ? "unit" : "units"}`;

/** Whether a query using only the non-list parameters is a scan. */
const canScan = (dataset: DatasetDefinition): boolean => {
  const single = Object.entries(dataset.params).filter(([, { isList }]) => !isList);
  return !Object.values(dataset.params).some(isAlwaysRequired) && isScan(dataset, Object.fromEntries(single));
};
