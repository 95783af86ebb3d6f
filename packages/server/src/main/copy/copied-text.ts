import { textTable } from "../../cli/text-table.ts";
import type { Checksum } from "../../store/copy/checksum.ts";
import { isEqual, type Compared, type Difference } from "../../store/copy/compare.ts";
import type { Copied } from "./copy-sides.ts";

type Moved = { readonly seconds: number; readonly bytes: number };

const MOST_SHOWN = 40;

/** Each table with its checksums on both sides, then every bucket that differs. */
export function copiedText({ compared, records }: Copied, { seconds, bytes }: Moved): string {
  const lines = compared
    .filter(({ source, target }) => source.rows !== "0" || target.rows !== "0")
    .map((one) => [
      one.table.name,
      one.source.rows,
      one.target.rows,
      markOf(one.source),
      markOf(one.target),
      isEqual(one) ? "same" : "differs",
    ]);
  const shown = differencesOf(compared);
  const cells = shown
    .slice(0, MOST_SHOWN)
    .map(({ name, bucket, source, target }) => [
      name,
      bucket,
      source.rows,
      target.rows,
      markOf(source),
      markOf(target),
    ]);
  const held = Object.values(records ?? {}).reduce((sum, rows) => sum + rows, 0);
  return [
    textTable(["TABLE", "ROWS", "AT THE TARGET", "CHECKSUM", "AT THE TARGET", ""], lines),
    ...(cells.length === 0
      ? []
      : ["", textTable(["DIFFERS IN", "BUCKET", "ROWS", "AT THE TARGET", "CHECKSUM", "AT THE TARGET"], cells)]),
    ...(shown.length > MOST_SHOWN ? [`… and ${shown.length - MOST_SHOWN} more buckets (--json has all)`] : []),
    ...(records === undefined ? [] : [`${held} control records`]),
    `${(bytes / 1_000_000).toFixed(1)} MB in ${seconds.toFixed(1)} s`,
  ].join("\n");
}

/** The same for programs. */
export function copiedValue({ compared, records }: Copied, { seconds, bytes }: Moved): unknown {
  return {
    is_same: compared.every(isEqual),
    seconds,
    bytes,
    tables: compared.map((one) => ({
      table: one.table.name,
      is_same: isEqual(one),
      source: one.source,
      target: one.target,
    })),
    differences: differencesOf(compared).map(({ name, bucket, source, target }) => ({
      table: name,
      bucket,
      source,
      target,
    })),
    records: records ?? null,
  };
}

function differencesOf(compared: readonly Compared[]): (Difference & { readonly name: string })[] {
  return compared.flatMap(({ table, differences, copies }) => [
    ...named(table.name, differences),
    ...Object.entries(copies).flatMap(([copy, found]) => named(copy, found)),
  ]);
}

const named = (name: string, found: readonly Difference[]): (Difference & { readonly name: string })[] =>
  found.map(({ bucket, source, target }) => ({ name, bucket, source, target }));

/** Short enough for a line: rows, sum and exclusive or stand in the JSON. */
const markOf = ({ sum, xor }: Checksum): string =>
  (BigInt(sum) ^ (BigInt(xor) << 1n)).toString(16).slice(-16).padStart(16, "0");
