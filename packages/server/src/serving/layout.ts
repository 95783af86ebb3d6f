import { createHash } from "node:crypto";
import type { ServedColumn, ServedTable } from "../definition/served.ts";

export type Column = {
  readonly name: string;
  /** Lists are stored as text. */
  readonly kind: Exclude<ServedColumn["kind"], "list">;
  readonly list: "numbers" | "tokens" | "levels" | undefined;
  /** Index in the declaration. */
  readonly at: number;
  /** Bytes per value, for hashes, wallets and integers; otherwise 0. */
  readonly width: number;
  readonly isNear: boolean;
  readonly isNullable: boolean;
  /** For money: amounts below 0 are also stored as numbers. */
  readonly isSigned: boolean;
  /** The values of a choice; a flag is a choice of false and true. */
  readonly values: readonly string[];
  /** Factor of its index in the single number that encodes all choices of a row. */
  readonly factor: number;
};

/** One tree of blocks: rows ordered by time, or by a key and time. */
export type TreeLayout = { readonly name: string; readonly key: Column | undefined };

/** The time column that orders rows: its units per second, and its number of bytes in a key. */
export type Timestamp = { readonly column: Column; readonly perSecond: number; readonly width: number };

/** A tie-breaking column for rows with the same time, and its number of bytes in a sort key. */
export type Tie = { readonly column: Column; readonly keyBytes: number };

export type Layout = {
  readonly columns: readonly Column[];
  readonly timestamp: Timestamp;
  readonly ties: readonly Tie[];
  /** The ties that are part of a sort key. */
  readonly keyTies: readonly Tie[];
  /** Bytes of a sort key: the time and the first ties, of the last of which only the first few bytes. */
  readonly sortBytes: number;
  readonly trees: readonly [TreeLayout, ...TreeLayout[]];
  /** The column that tells which of several rows with one identity was stored last. */
  readonly version: Column | undefined;
  /** Hash of the declaration and its encoding; names the folder. */
  readonly schema: string;
  readonly column: (name: string) => Column;
  /** Arrays with one element per column, to be copied. */
  readonly blanks: {
    readonly undefineds: readonly undefined[];
    readonly bytes: readonly Buffer[];
    readonly zeros: readonly number[];
    readonly widths: readonly number[];
  };
};

/** Increased when the encoding of the same declaration changes. */
const ENCODING = 2;
const NOTHING = Buffer.alloc(0);
const WIDTHS: Readonly<Record<string, number>> = { hash: 32, integer: 32, wallet: 20 };
const KEY_KINDS: ReadonlySet<string> = new Set(["wallet", "hash", "token", "integer", "text"]);
const PER_SECOND: Readonly<Record<string, number>> = { seconds: 1, millis: 1000, micros: 1_000_000 };
const MAX_TIES = 6;
/** Bytes of the last tie: few rows agree in these and in everything before. */
const LAST_BYTES = 8;
/** Bytes of a count in a key: integers below 2^53. */
const COUNT_BYTES = 8;

export function layoutOf(table: ServedTable): Layout {
  const columns = columnsOf(table);
  const column = (name: string): Column => {
    const found = columns.find((each) => each.name === name);
    if (found === undefined) throw new TypeError(`${table.name} has no column ${name}`);
    return found;
  };
  const [timestamp, ...others] = table.sort.map(column) as [Column, ...Column[]];
  const perSecond = PER_SECOND[timestamp.kind];
  if (perSecond === undefined)
    throw new TypeError(
      `${table.name} is sorted by ${timestamp.name}, a ${timestamp.kind}, first: expected a timestamp`,
    );
  const width = timestamp.kind === "seconds" ? 4 : 8;
  const ties = tiesOf(table, others);
  return {
    columns,
    timestamp: { column: timestamp, perSecond, width },
    ties,
    keyTies: ties.filter(({ keyBytes }) => keyBytes > 0),
    sortBytes: ties.reduce((sum, { keyBytes }) => sum + keyBytes, width),
    trees: treesOf(table, table.keys.map(column)),
    version: table.isVersioned === true ? column(table.storedAt) : undefined,
    schema: schemaOf(table),
    column,
    blanks: {
      undefineds: columns.map(() => undefined),
      bytes: columns.map(() => NOTHING),
      zeros: columns.map(() => 0),
      widths: columns.map(({ width: bytes }) => bytes),
    },
  };
}

function schemaOf({ columns, sort, byTime = false, keys, storedAt, isVersioned, only }: ServedTable): string {
  const held = [sort, byTime, keys, storedAt, isVersioned === true, only];
  const declared = JSON.stringify([ENCODING, Object.entries(columns), ...held]);
  return createHash("sha256").update(declared).digest("hex").slice(0, 16);
}

/** A sort key ends before the first tie that is a tree's key, or whose bytes do not sort like its values. */
function tiesOf({ name, byTime = false, keys }: ServedTable, columns: readonly Column[]): Tie[] {
  if (columns.length > MAX_TIES) throw new TypeError(`${name} is sorted by more than ${MAX_TIES + 1} columns`);
  let isIn = true;
  return columns.map((column, index): Tie => {
    const { kind, width, values } = column;
    if (kind === "token" || kind in PER_SECOND || column.isNullable || column.list)
      throw new TypeError(`${name} cannot be sorted by ${column.name}, a ${kind}, in place ${index + 2}`);
    if (values.some((value, place) => place > 0 && value <= String(values[place - 1])))
      throw new TypeError(`${name} is sorted by ${column.name}: its values must be in order`);
    const isLast = index === columns.length - 1;
    isIn &&= (byTime || !keys.includes(column.name)) && (width > 0 || kind === "count" || (kind === "text" && isLast));
    if (!isIn) return { column, keyBytes: 0 };
    if (kind === "count") return { column, keyBytes: COUNT_BYTES };
    return { column, keyBytes: isLast ? LAST_BYTES : width };
  });
}

function treesOf(
  { name, byTime = false, isVersioned }: ServedTable,
  keys: readonly Column[],
): readonly [TreeLayout, ...TreeLayout[]] {
  const wrong = keys.find(({ kind, list }) => !KEY_KINDS.has(kind) || list !== undefined);
  if (wrong !== undefined) throw new TypeError(`${name} cannot be keyed by ${wrong.name}, a ${wrong.kind}`);
  const time: TreeLayout[] = byTime ? [{ name: "time", key: undefined }] : [];
  const [first, ...others] = [...time, ...keys.map((key) => ({ name: `by_${key.name}`, key }))];
  if (first === undefined || (others.length > 0 && (!byTime || isVersioned === true)))
    throw new TypeError(`${name} is keyed by time, or by one column: not by ${keys.map((key) => key.name).join(", ")}`);
  return [first, ...others];
}

function columnsOf({ name: table, columns }: ServedTable): Column[] {
  let factor = 1;
  const made = Object.entries(columns).map(([name, declared], at): Column => {
    const values = declared.kind === "choice" ? declared.values : declared.kind === "flag" ? ["false", "true"] : [];
    const column: Column = {
      name,
      kind: declared.kind === "list" ? "text" : declared.kind,
      list: declared.kind === "list" ? (declared.of ?? "numbers") : undefined,
      at,
      width: WIDTHS[declared.kind] ?? 0,
      isNear:
        declared.kind === "millis" ||
        declared.kind === "micros" ||
        (declared.kind === "count" && declared.near === true),
      isNullable: declared.kind === "money" && declared.nullable === true,
      isSigned: declared.kind === "money" && declared.signed === true,
      values,
      factor,
    };
    factor *= Math.max(1, values.length);
    return column;
  });
  if (factor > Number.MAX_SAFE_INTEGER) throw new TypeError(`${table} has too many choices for one number`);
  return made;
}
