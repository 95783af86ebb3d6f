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
  readonly values: readonly string[];
  /** What its number is multiplied by in the one number that holds all choices of a row. */
  readonly factor: number;
};

/** One tree of blocks: rows by time, or by a key and time. */
export type TreeLayout = { readonly name: string; readonly key: Column | undefined };

export type Layout = {
  readonly columns: readonly Column[];
  readonly sort: readonly [Column, Column, Column];
  readonly trees: readonly [TreeLayout, ...TreeLayout[]];
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
const ENCODING = 1;
const NOTHING = Buffer.alloc(0);
const WIDTHS: Readonly<Record<string, number>> = { hash: 32, wallet: 20 };
const KEY_KINDS: ReadonlySet<string> = new Set(["wallet", "hash", "token", "text"]);

export function layoutOf(table: ServedTable): Layout {
  const columns = columnsOf(table);
  const column = (name: string): Column => {
    const found = columns.find((each) => each.name === name);
    if (found === undefined) throw new TypeError(`${table.name} has no column ${name}`);
    return found;
  };
  const [first, second, third] = table.sort.map(column) as [Column, Column, Column];
  if (first.kind !== "seconds" || second.width === 0 || third.width === 0)
    throw new TypeError(`${table.name} is sorted by ${table.sort.join(", ")}: expected seconds and two of bytes`);
  const keys = table.keys.map(column);
  const wrong = keys.find(({ kind }) => !KEY_KINDS.has(kind));
  if (wrong !== undefined) throw new TypeError(`${table.name} can not be held by ${wrong.name}, a ${wrong.kind}`);
  const declared = JSON.stringify([ENCODING, Object.entries(table.columns), table.sort, table.keys]);
  return {
    columns,
    sort: [first, second, third],
    trees: [{ name: "time", key: undefined }, ...keys.map((key) => ({ name: `by_${key.name}`, key }))],
    schema: createHash("sha256").update(declared).digest("hex").slice(0, 16),
    column,
    blanks: {
      undefineds: columns.map(() => undefined),
      bytes: columns.map(() => NOTHING),
      zeros: columns.map(() => 0),
      widths: columns.map(({ width }) => width),
    },
  };
}

function columnsOf({ name: table, columns }: ServedTable): Column[] {
  let factor = 1;
  const made = Object.entries(columns).map(([name, declared], at): Column => {
    const values = declared.kind === "choice" ? declared.values : [];
    const isNear = declared.kind === "micros" || (declared.kind === "count" && declared.near === true);
    const column = { name, kind: declared.kind, at, width: WIDTHS[declared.kind] ?? 0, isNear, values, factor };
    factor *= Math.max(1, values.length);
    return column;
  });
  if (factor > Number.MAX_SAFE_INTEGER) throw new TypeError(`${table} has too many choices for one number`);
  return made;
}
