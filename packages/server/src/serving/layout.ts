import { createHash } from "node:crypto";
import type { ServedColumn, ServedTable } from "../definition/served.ts";

export type Column = {
  readonly name: string;
  readonly kind: ServedColumn["kind"];
  /** Its place in the declaration. */
  readonly at: number;
  /** Bytes of a value, of hashes and wallets. */
  readonly width: number;
  readonly isNear: boolean;
  readonly isNullable: boolean;
  /** Of money: amounts below 0 are numbers too. */
  readonly isSigned: boolean;
  /** Of a choice; a flag is the one of false and true. */
  readonly values: readonly string[];
  /** What its number is multiplied by in the one number that holds all choices of a row. */
  readonly factor: number;
};

/** One tree of blocks: rows by time, or by a key and time. */
export type TreeLayout = { readonly name: string; readonly key: Column | undefined };

/** The column of moments by which rows are in order: how many of its units are a second, and its bytes in a key. */
export type Moment = { readonly column: Column; readonly perSecond: number; readonly width: number };

/** A column that decides between rows of one moment, and how many bytes of it are in a key. */
export type Tie = { readonly column: Column; readonly keyBytes: number };

export type Layout = {
  readonly columns: readonly Column[];
  readonly moment: Moment;
  readonly ties: readonly Tie[];
  /** How many bytes a sort key has: of the moment and the ties, of the last of these the first few alone. */
  readonly sortBytes: number;
  readonly trees: readonly [TreeLayout, ...TreeLayout[]];
  /** The one that tells, of rows of one identity, which was stored last. */
  readonly version: Column | undefined;
  /** Of the declaration and of how it is encoded: names the folder. */
  readonly schema: string;
  readonly column: (name: string) => Column;
  /** Arrays with one element a column, to be copied. */
  readonly blanks: {
    readonly undefineds: readonly undefined[];
    readonly bytes: readonly Buffer[];
    readonly zeros: readonly number[];
    readonly widths: readonly number[];
  };
};

/** Goes up when the same declaration is kept in other bytes. */
const ENCODING = 2;
const NOTHING = Buffer.alloc(0);
const WIDTHS: Readonly<Record<string, number>> = { hash: 32, wallet: 20 };
const KEY_KINDS: ReadonlySet<string> = new Set(["wallet", "hash", "token", "text"]);
const MOST_TIES = 3;
/** Of the last tie: few rows have these and what is before in common. */
const LAST_BYTES = 8;
/** Of a count in a key: whole numbers below 2^53. */
const COUNT_BYTES = 8;

export function layoutOf(table: ServedTable): Layout {
  const columns = columnsOf(table);
  const column = (name: string): Column => {
    const found = columns.find((each) => each.name === name);
    if (found === undefined) throw new TypeError(`${table.name} has no column ${name}`);
    return found;
  };
  const [moment, ...others] = table.sort.map(column) as [Column, ...Column[]];
  if (moment.kind !== "seconds" && moment.kind !== "micros")
    throw new TypeError(`${table.name} is sorted by ${moment.name}, a ${moment.kind}, first: expected a moment`);
  const width = moment.kind === "seconds" ? 4 : 8;
  const ties = tiesOf(table, others);
  return {
    columns,
    moment: { column: moment, perSecond: moment.kind === "seconds" ? 1 : 1_000_000, width },
    ties,
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

function schemaOf({ columns, sort, byTime, keys, storedAt, isVersioned, only }: ServedTable): string {
  const held = [sort, byTime, keys, storedAt, isVersioned === true, only];
  const declared = JSON.stringify([ENCODING, Object.entries(columns), ...held]);
  return createHash("sha256").update(declared).digest("hex").slice(0, 16);
}

function tiesOf({ name }: ServedTable, columns: readonly Column[]): Tie[] {
  if (columns.length > MOST_TIES) throw new TypeError(`${name} is sorted by more than ${MOST_TIES + 1} columns`);
  return columns.map((column, index): Tie => {
    const isLast = index === columns.length - 1;
    if (column.width > 0) return { column, keyBytes: isLast ? LAST_BYTES : column.width };
    if (column.kind === "count") return { column, keyBytes: COUNT_BYTES };
    if (column.kind === "text" && isLast) return { column, keyBytes: LAST_BYTES };
    throw new TypeError(`${name} can not be sorted by ${column.name}, a ${column.kind}, in place ${index + 2}`);
  });
}

function treesOf(
  { name, byTime, isVersioned }: ServedTable,
  keys: readonly Column[],
): readonly [TreeLayout, ...TreeLayout[]] {
  const wrong = keys.find(({ kind }) => !KEY_KINDS.has(kind));
  if (wrong !== undefined) throw new TypeError(`${name} can not be held by ${wrong.name}, a ${wrong.kind}`);
  const time: TreeLayout[] = byTime ? [{ name: "time", key: undefined }] : [];
  const [first, ...others] = [...time, ...keys.map((key) => ({ name: `by_${key.name}`, key }))];
  if (first === undefined || (others.length > 0 && (!byTime || isVersioned === true)))
    throw new TypeError(`${name} is held by time, or in one way: not by ${keys.map((key) => key.name).join(", ")}`);
  return [first, ...others];
}

function columnsOf({ name: table, columns }: ServedTable): Column[] {
  let factor = 1;
  const made = Object.entries(columns).map(([name, declared], at): Column => {
    const values = declared.kind === "choice" ? declared.values : declared.kind === "flag" ? ["false", "true"] : [];
    const column: Column = {
      name,
      kind: declared.kind,
      at,
      width: WIDTHS[declared.kind] ?? 0,
      isNear: declared.kind === "micros" || (declared.kind === "count" && declared.near === true),
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
