import type { Requested } from "../definition/coverage.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Bound } from "../definition/sql.ts";
import type { Keys } from "./compose.ts";
import type { TableDefinition } from "../definition/table.ts";

type Given = Readonly<Record<string, Bound>>;

const HOUR_MS = 3_600_000;

/** The instruments, venues and time range for which an answer needs coverage. */
export function requestedOf(dataset: DatasetDefinition, given: Given, nowMs: number): Requested {
  return {
    ...rangeOf(dataset, given, nowMs),
    ...instrumentsOf(dataset, given),
    ...(dataset.venue ? { venue: dataset.venue } : {}),
    ...venuesOf(dataset, given),
  };
}

/**
 * Narrows the coverage request to one page: where pages go back in time and more rows follow, nothing older than the
 * page's last row matters. `last` holds the order keys of that row, absent if nothing follows.
 */
export function requestedOfPage(
  { range }: DatasetDefinition,
  given: Given,
  requested: Requested,
  last: Keys | undefined,
): Requested {
  if (last === undefined || !goesBack(range, given)) return requested;
  const at = Date.parse(String(last[0]));
  const from = new Date(range?.wholeAt?.(given, at).from ?? at).toISOString();
  return requested.from !== undefined && requested.from > from ? requested : { ...requested, from };
}

/** Whether pages go back in time, newest first. */
export const goesBack = (range: DatasetDefinition["range"], given: Given): boolean =>
  range?.goesBack === "always" ||
  (range?.goesBack === "without from" && (range.from === undefined || given[range.from] === undefined));

/** The time range of history the answer depends on. */
function rangeOf({ range, asOf }: DatasetDefinition, given: Given, nowMs: number): Pick<Requested, "from" | "to"> {
  const textOf = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : given[name]?.value;
    return typeof value === "string" ? value : undefined;
  };
  const day = textOf(asOf);
  const end = day === undefined ? textOf(range?.to) : `${day} 23:59:59.999`;
  const wholeAt = (text: string, edge: "from" | "to"): string => {
    const span = range?.wholeAt?.(given, Date.parse(isoOf(text)));
    return span ? new Date(span[edge]).toISOString() : isoOf(text);
  };
  const to = end === undefined ? undefined : wholeAt(end, "to");
  const begin = range?.needsAllBefore === true ? undefined : textOf(range?.from);
  const first = begin ?? hoursBefore(range?.hours, given, end, nowMs);
  const from = first === undefined ? undefined : wholeAt(first, "from");
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function hoursBefore(name: string | undefined, given: Given, end: string | undefined, nowMs: number) {
  const hours = name === undefined ? undefined : given[name]?.value;
  if (hours === undefined || hours === null) return undefined;
  const endMs = end === undefined ? nowMs : Math.min(nowMs, Date.parse(isoOf(end)));
  return new Date(endMs - Number(hours) * HOUR_MS).toISOString().slice(0, -1);
}

const isoOf = (text: string): string => `${text.replace(" ", "T")}Z`;

const itemsOf = (value: Bound["value"]): string[] => (Array.isArray(value) ? value : [value]).map(String);

function instrumentsOf({ instrument }: DatasetDefinition, given: Given): Pick<Requested, "instruments"> {
  const value = instrument === undefined ? undefined : given[instrument]?.value;
  return value === undefined || value === null ? {} : { instruments: itemsOf(value) };
}

function venuesOf({ venues }: DatasetDefinition, given: Given): Pick<Requested, "venues"> {
  if (venues === undefined) return {};
  const value = given[venues.param]?.value;
  return { venues: value === undefined || value === null ? venues.all : itemsOf(value) };
}

/** The tables that hold the data requested from a dataset with these parameters. */
export const tablesOf = (
  { tables, tablesWith }: Pick<DatasetDefinition, "tables" | "tablesWith">,
  given: Readonly<Record<string, Bound>>,
): readonly TableDefinition[] =>
  tablesWith === undefined || given[tablesWith.param] === undefined ? tables : tablesWith.tables;

/** All tables from which an answer is read. */
export const sourcesOf = (
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
): readonly TableDefinition[] => [
  ...tablesOf(dataset, given),
  ...(dataset.alsoReads ?? []),
  ...(dataset.held ? [dataset.held] : []),
];

/** All tables from which any answer of the dataset is read. */
export const allTables = ({ tables, tablesWith, alsoReads, held }: DatasetDefinition): readonly TableDefinition[] => [
  ...tables,
  ...(tablesWith?.tables ?? []),
  ...(alsoReads ?? []),
  ...(held ? [held] : []),
];
