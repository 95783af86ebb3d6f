import { isOneOf } from "../../definition/filter.ts";
import type { FoldReader } from "../../definition/fold.ts";
import { slicesOf } from "../../definition/slices.ts";
import { bind, joined, name, sql, type Sql } from "../../definition/sql.ts";

/** The fields of each line of the engine's TSV, if no field contains escaped text. */
export function* tabRows(bytes: Buffer): Generator<readonly string[]> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    yield bytes.toString("latin1", start, stop).split("\t");
    start = stop + 1;
  }
}

/** Ids of one statement: the engine takes no bound value of more than 131,072 characters. */
const IDS_A_READ = 1500;
/**
 * This many missing ids are spread over the table, and each statement for some of them reads most of it: all values are
 * then read once, range by range.
 */
const MAX_BY_ID = 6 * IDS_A_READ;
const RANGE_BITS = 3n;
const RANGES = 2 ** Number(RANGE_BITS);
/** With more values than this the rest is read by id after all: a service needs its memory for other things too. */
const MAX_READ_WHOLE = 500_000;
/** Cached values beyond which the cache is cleared. */
const MAX_KNOWN = 2_000_000;

/** Selection of 256-bit ids: by a list, or by the range with given first bits. */
type IdKind = {
  readonly among: (column: string, ids: readonly string[]) => Sql;
  readonly inRange: (column: string, range: number) => Sql;
};

/** 0x-hex, stored as bytes. */
export const CONDITION: IdKind = {
  among: (column, ids) => isOneOf(name(column), ids, 32),
  inRange: (column, range) =>
    between(
      column,
      range,
      (first) => sql`toFixedString(unhex(${bind("String", first.toString(16).padStart(64, "0"))}), 32)`,
    ),
};

/** Decimal text, stored as a number. */
export const TOKEN: IdKind = {
  among: (column, ids) =>
    sql`${name(column)} IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))}))))`,
  inRange: (column, range) => between(column, range, (first) => sql`toUInt256(${bind("String", first.toString())})`),
};

function between(column: string, range: number, valueOf: (first: bigint) => Sql): Sql {
  const startOf = (index: number): Sql => valueOf(BigInt(index) << (256n - RANGE_BITS));
  const limits = [sql`${name(column)} >= ${startOf(range)}`];
  if (range + 1 < RANGES) limits.push(sql`${name(column)} < ${startOf(range + 1)}`);
  return joined(limits, sql` AND `);
}

/** Description of a lookup: `find` returns the values of the ids selected by a condition on this column. */
type LookedUp<Value> = {
  readonly name: string;
  readonly kind: IdKind;
  readonly column: string;
  readonly find: (chosen: Sql) => Promise<ReadonlyMap<string, Value>>;
};

type Known<Value> = {
  readonly values: Map<string, Value | undefined>;
  /** Resolves to whether all values are known; undefined while nothing needed them. */
  whole: Promise<boolean> | undefined;
};

/**
 * Looks values up by id (given once), each once per unit of work (`read.memory`), in which several may be requested
 * concurrently. A value that `find` does not return is undefined from then on.
 */
export async function knownOnce<Value>(
  read: FoldReader,
  wanted: LookedUp<Value>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Value | undefined>> {
  let known = read.memory.get(wanted.name) as Known<Value> | undefined;
  if (known === undefined || known.values.size > MAX_KNOWN) {
    known = { values: new Map(), whole: known && Promise.resolve(false) };
    read.memory.set(wanted.name, known);
  }
  const { values } = known;
  const missing: string[] = [];
  for (const id of ids) if (!values.has(id)) missing.push(id);
  if (missing.length > MAX_BY_ID) known.whole ??= readAll(wanted, values);
  const isWhole = await known.whole;
  const left = missing.filter((id) => !values.has(id));
  for (const some of slicesOf(left, IDS_A_READ)) {
    const found = isWhole === true ? undefined : await wanted.find(wanted.kind.among(wanted.column, some));
    for (const id of some) values.set(id, found?.get(id));
  }
  return values;
}

/** Resolves to whether all values could be kept. */
async function readAll<Value>(
  { kind, column, find }: LookedUp<Value>,
  values: Map<string, Value | undefined>,
): Promise<boolean> {
  for (let range = 0; range < RANGES; range += 1) {
    for (const [id, value] of await find(kind.inRange(column, range))) values.set(id, value);
    if (values.size > MAX_READ_WHOLE) return false;
  }
  return true;
}
