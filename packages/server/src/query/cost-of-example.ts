import { EXAMPLE_SAMPLE } from "../definition/example-values.ts";
import type { DatasetDefinition, Example } from "../definition/dataset.ts";
import { costOf } from "./cost.ts";
import { parseParams } from "./parse-params.ts";

const DAY_MS = 86_400_000;
/** The end of the day on which the sample that fills examples in was taken. */
const SAMPLED_MS = Date.parse(EXAMPLE_SAMPLE.values.today) + DAY_MS - 1;

/** The units of a first page of an example, as wide as pages are by default. */
export function costOfExample(dataset: DatasetDefinition, { params }: Pick<Example, "params">): number {
  const { given } = parseParams(dataset, params, "reject", { nowMs: SAMPLED_MS });
  const page = { limit: dataset.limit.default, offset: 0, format: "raw" as const };
  return costOf(dataset, { ...page, given, nowMs: SAMPLED_MS });
}
