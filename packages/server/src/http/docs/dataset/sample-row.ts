import type { DatasetDefinition } from "../../../definition/dataset.ts";
import { EXAMPLE_SAMPLE } from "../../../definition/example-values.ts";

/** A row of the dataset in raw format as a demo answered it, limited to the dataset's current fields. */
export function sampleRow({ agentId, row }: Pick<DatasetDefinition, "agentId" | "row">): Record<string, unknown> {
  const sample = EXAMPLE_SAMPLE.rows[String(agentId)] ?? {};
  return Object.fromEntries(Object.entries(sample).filter(([name]) => name in row));
}
