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

type Given = Readonly<Record<string, Bound>>;

/**
 * The start time for ranges given only as a duration before the last one, or before now; a walk keeps that of its first
 * page.
 */
export function sinceAgo({ range, params }: DatasetDefinition, given: Given, nowMs: number): Given {
  const { from, to, ago = {} } = range ?? {};
  const requested = requestedAgo(ago, given);
  const type = from === undefined ? undefined : params[from]?.engineType;
  if (requested === undefined || from === undefined || type === undefined || given[from] !== undefined) return given;
  const end = to === undefined ? undefined : given[to]?.value;
  const endMs = typeof end === "string" ? Date.parse(`${end.replace(" ", "T")}Z`) : nowMs;
  const text = new Date(endMs - requested * 1000).toISOString();
  return { ...given, [from]: bind(type, `${text.slice(0, 10)} ${text.slice(11, 23)}000`) };
}

/** Whether the answer depends on the time of the request. */
export const isAgo = ({ range }: DatasetDefinition, given: Given): boolean =>
  requestedAgo(range?.ago ?? {}, given) !== undefined;

/** The shortest duration requested, in seconds. */
function requestedAgo(ago: Readonly<Record<string, number>>, given: Given): number | undefined {
  const requested = Object.entries(ago).flatMap(([name, seconds]) => {
    const value = given[name]?.value;
    return value === undefined ? [] : [Number(value) * seconds];
  });
  return requested.length === 0 ? undefined : Math.min(...requested);
}
