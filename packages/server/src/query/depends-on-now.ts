import type { DatasetDefinition } from "../definition/dataset.ts";
import { bind, type Bound, type Sql } from "../definition/sql.ts";
import { compose } from "./compose.ts";

export const DAY_MS = 86_400_000;

/** Whether the answer may differ at another time of the same UTC day (`nowMs` is in it) although no table changed. */
export function dependsOnNow(
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  nowMs: number,
): boolean {
  if (dataset.query === undefined) return dataset.held !== undefined;
  const start = nowMs - (nowMs % DAY_MS);
  const at = (ms: number): Sql =>
    compose(dataset, given, { rows: 1, offset: 0, format: "raw", now: bind("Int64", String(ms * 1000)) }).statement;
  const [first, last] = [at(start), at(start + DAY_MS - 1)];
  return (
    dataset.held !== undefined ||
    first.text !== last.text ||
    first.values.some(({ value }, place) => String(value) !== String(last.values[place]?.value))
  );
}
