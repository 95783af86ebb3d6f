import { isOneOf } from "../../definition/filter.ts";
import type { FoldReader } from "../../definition/fold.ts";
import { slicesOf } from "../../definition/slices.ts";
import { bind, joined, name, sql, type Sql } from "../../definition/sql.ts";

/** The fields of each line of the engine's TSV, where no field holds text that is escaped. */
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
 * So many missing ids lie all over the table, and each statement that asks for some of them reads most of it: then all
 * there is is read once, range by range.
 */
const MOST_BY_ID = 6 * IDS_A_READ;
const RANGE_BITS = 3n;
const RANGES = 2 ** Number(RANGE_BITS);
/** Where there are more, the rest is asked for by id after all: a service has its memory for other things too. */
const MOST_READ_WHOLE = 500_000;
/** Beyond, what is known is forgotten. */
const MOST_KNOWN = 2_000_000;

/** How ids of 256 bits are chosen: by a list of them, or the range of them with these first bits. */
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

/** What is looked up: `find` gives the values of the ids that a condition on this column chooses. */
type LookedUp<Value> = {
  readonly name: string;
  readonly kind: IdKind;
  readonly column: string;
  readonly find: (chosen: Sql) => Promise<ReadonlyMap<string, Value>>;
  /** The same of some ids, where there is a cheaper way to them than the table. */
  readonly findSome?: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
};

type Known<Value> = {
  readonly values: Map<string, Value | undefined>;
  /** Resolves to whether all there are is known; undefined while nobody needed them. */
  whole: Promise<boolean> | undefined;
};

/**
 * Looks values up by id (given once), each once in a piece of work (`read.memory`), in which several may be asked for at
 * a time. What `find` does not find is undefined from then on.
 */
export async function knownOnce<Value>(
  read: FoldReader,
  wanted: LookedUp<Value>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Value | undefined>> {
  let known = read.memory.get(wanted.name) as Known<Value> | undefined;
  if (known === undefined || known.values.size > MOST_KNOWN) {
    known = { values: new Map(), whole: known && Promise.resolve(false) };
    read.memory.set(wanted.name, known);
  }
  const { values } = known;
  const findSome = wanted.findSome ?? ((some) => wanted.find(wanted.kind.among(wanted.column, some)));
  const missing: string[] = [];
  for (const id of ids) if (!values.has(id)) missing.push(id);
  if (missing.length > MOST_BY_ID) known.whole ??= readAll(wanted, values);
  const isWhole = await known.whole;
  const left = missing.filter((id) => !values.has(id));
  for (const some of slicesOf(left, IDS_A_READ)) {
    const found = isWhole === true ? undefined : await findSome(some);
    for (const id of some) values.set(id, found?.get(id));
  }
  return values;
}

/** Resolves to whether all there are could be kept. */
async function readAll<Value>(
  { kind, column, find }: LookedUp<Value>,
  values: Map<string, Value | undefined>,
): Promise<boolean> {
  for (let range = 0; range < RANGES; range += 1) {
    for (const [id, value] of await find(kind.inRange(column, range))) values.set(id, value);
    if (values.size > MOST_READ_WHOLE) return false;
  }
  return true;
}
