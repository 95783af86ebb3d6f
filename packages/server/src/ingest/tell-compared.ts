import type { Batch } from "../definition/connector.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";

/** Counts what a check found; returns the sentence its status shows. */
export function tellCompared(metrics: IngestMetrics, stream: string, found: NonNullable<Batch["compared"]>): string {
  for (const [outcome, count] of Object.entries(found)) metrics.compared.inc({ stream, outcome }, count);
  const { agreed, missing, unlisted } = found;
  return `last compared: ${agreed} agree, ${missing} were missing, ${unlisted} only the store has`;
}
