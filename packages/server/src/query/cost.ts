import {
  DAYS_OF_ALL,
  FILE_TIMES,
  MAX_UNITS,
  PASSED_ROWS_OF_A_UNIT,
  ROWS_OF_A_UNIT,
  SCAN_BASE,
  USUAL_COST,
} from "../definition/cost.ts";
import type { DatasetDefinition, Example } from "../definition/dataset.ts";
import { itemsOf } from "../definition/param.ts";
import type { Bound } from "../definition/sql.ts";
import type { FormatType } from "./answer.ts";
import { EXAMPLE_SAMPLE } from "../definition/example-values.ts";
import { parseParams } from "./parse-params.ts";

type Given = Readonly<Record<string, Bound>>;
type Priced = Pick<DatasetDefinition, "params" | "range" | "asOf" | "named" | "listed" | "cost">;

export type Costing = {
  readonly given: Given;
  readonly limit: number;
  readonly offset: number;
  readonly format: FormatType;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
};

const DAY_MS = 86_400_000;
const FILES: ReadonlySet<FormatType> = new Set(["csv", "parquet", "arrow"]);

/** A query's cost, estimated from the query alone by the work it may take: whole units, at least one. */
export function costOf(dataset: Priced, { given, limit, offset, format, nowMs }: Costing): number {
  const { each = USUAL_COST.each } = dataset.cost ?? {};
  const further = Math.max(0, itemCount(dataset, given) - 1);
  const found = (baseOf(dataset, given) + each * further) * windowTimes(dataset, given, nowMs);
  const shown = found + limit / ROWS_OF_A_UNIT;
  const units = shown * (FILES.has(format) ? FILE_TIMES : 1) + offset / PASSED_ROWS_OF_A_UNIT;
  return Math.max(1, Math.min(MAX_UNITS, Math.round(units)));
}

/** The number of wallets, tokens, markets and phrases requested; venues and the like are few and add no work. */
const itemCount = ({ params }: Priced, given: Given): number =>
  Object.entries(given).reduce((sum, [name, { value }]) => sum + (params[name] ? itemsOf(params[name], value) : 0), 0);

function baseOf(dataset: Priced, given: Given): number {
  const { cost = {}, asOf, listed } = dataset;
  if (cost.past !== undefined && asOf !== undefined && given[asOf] !== undefined) return cost.past;
  if (cost.base !== undefined) return cost.base;
  return listed === undefined && isScan(dataset, given) ? SCAN_BASE : USUAL_COST.base;
}

/** Whether a query with these parameters names no item and filters only by row contents. */
export function isScan({ params, range, named }: Priced, given: Readonly<Record<string, unknown>>): boolean {
  const times = new Set([range?.from, range?.to, range?.hours, ...Object.keys(range?.ago ?? {})]);
  const names = Object.keys(given).filter((name) => !times.has(name));
  const isKey = (name: string): boolean => {
    const definition = params[name];
    return definition?.isList === true || definition?.isRequired === true || name === named?.by;
  };
  return !names.some(isKey) && names.some((name) => params[name]?.defaultText === undefined);
}

function windowTimes(dataset: Priced, given: Given, nowMs: number): number {
  const { days } = dataset.cost ?? {};
  return days === undefined ? 1 : 1 + windowDays(dataset, given, nowMs) / days;
}

function windowDays({ cost, range }: Priced, given: Given, nowMs: number): number {
  const value = (name: string | undefined): string | undefined =>
    name === undefined || given[name] === undefined ? undefined : String(given[name].value);
  const named = value(cost?.window);
  if (named !== undefined) return Number.parseInt(named, 10) || DAYS_OF_ALL;
  const [from, to, hours] = [value(range?.from), value(range?.to), value(range?.hours)];
  const end = to === undefined ? nowMs : Math.min(nowMs, timestampMs(to));
  if (from !== undefined) return Math.max(0, end - timestampMs(from)) / DAY_MS;
  return hours === undefined ? DAYS_OF_ALL : Number(hours) / 24;
}

const timestampMs = (text: string): number => Date.parse(`${text.replace(" ", "T")}Z`);

/** End of the day on which the sample data for examples was taken. */
const SAMPLED_MS = Date.parse(EXAMPLE_SAMPLE.values.today) + DAY_MS - 1;

/** Cost units of the first page of an example at the default page size. */
export function costOfExample(dataset: DatasetDefinition, { params }: Pick<Example, "params">): number {
  const { given } = parseParams(dataset, params, "reject", { nowMs: SAMPLED_MS });
  const page = { limit: dataset.limit.default, offset: 0, format: "raw" as const };
  return costOf(dataset, { ...page, given, nowMs: SAMPLED_MS });
}
