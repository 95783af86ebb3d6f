import { EXAMPLE_SAMPLE } from "../definition/example-values.ts";
import type { DatasetDefinition, Example } from "../definition/dataset.ts";
import { costOf } from "./cost.ts";
import { parseParams } from "./parse-params.ts";

const DAY_MS = 86_400_000;
/** End of the day on which the sample data for examples was taken. */
const SAMPLED_MS = Date.parse(EXAMPLE_SAMPLE.values.today) + DAY_MS - 1;

/** Cost units of the first page of an example at the default page size. */
export function costOfExample(dataset: DatasetDefinition, { params }: Pick<Example, "params">): number {
  const { given } = parseParams(dataset, params, "reject", { nowMs: SAMPLED_MS });
  const page = { limit: dataset.limit.default, offset: 0, format: "raw" as const };
  return costOf(dataset, { ...page, given, nowMs: SAMPLED_MS });
}
