import type { DatasetDefinition } from "../../../definition/dataset.ts";
import { EXAMPLE_SAMPLE } from "../../../definition/example-values.ts";

/** A row of the dataset as a demo answered it in the raw format, with the fields that the dataset has now. */
export function sampleRow({ agentId, row }: Pick<DatasetDefinition, "agentId" | "row">): Record<string, unknown> {
  const sample = EXAMPLE_SAMPLE.rows[String(agentId)] ?? {};
  return Object.fromEntries(Object.entries(sample).filter(([name]) => name in row));
}
