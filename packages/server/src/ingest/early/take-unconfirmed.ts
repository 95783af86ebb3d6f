import { fromDefinition, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import type { Span } from "../coverage/spans.ts";
import { engineSeconds } from "../engine-seconds.ts";

/** Early rows are looked for so far back: longer than a process is away without anybody's looking. */
const LOOK_BACK_MS = 7 * 86_400_000;
/** Around a gap: early rows say another second than the rows that would confirm them. */
const EDGE_MS = 10_000;

export type Unconfirmed = { readonly rows: number; readonly moments: readonly string[] };

/**
 * Takes away rows of a table's last tier of stand-ins from before `before` (Unix ms), of which better rows should have
 * been stored by now. What lies in `gaps` stays: there nobody can tell. From the copies first, so that what the table
 * still has is found again after a crash.
 */
export async function takeUnconfirmed(
  table: TableDefinition,
  store: Pick<Store, "rows" | "run" | "changed">,
  before: number,
  gaps: readonly Span[],
): Promise<Unconfirmed> {
  const where = whereOf(table, before, gaps);
  const found = await store.rows<{ moment: string; n: number }>(
    fromDefinition(
      `SELECT toString(${table.keyRange}) AS moment, toUInt32(count()) AS n FROM ${table.name} WHERE ${where} GROUP BY ${table.keyRange}`,
    ),
  );
  if (found.length > 0) {
    for (const name of [...Object.keys(table.copies ?? {}), table.name]) await store.run(deletion(name, where));
    store.changed(table);
  }
  return { rows: found.reduce((sum, { n }) => sum + n, 0), moments: found.map(({ moment }) => moment) };
}

const deletion = (name: string, where: string): Sql => fromDefinition(`DELETE FROM ${name} WHERE ${where}`);

function whereOf({ name, standIns, keyRange }: TableDefinition, before: number, gaps: readonly Span[]): string {
  const last = standIns?.tiers.at(-1);
  if (last === undefined || keyRange === undefined) throw new TypeError(`${name} has no stand-ins`);
  const [least, most] = [before - LOOK_BACK_MS, before];
  const kept = gaps
    .map(({ from, to }) => ({ from: Math.max(least, from - EDGE_MS), to: Math.min(most, to + EDGE_MS) }))
    .filter(({ from, to }) => from <= to)
    .map(({ from, to }) => ` AND NOT (${keyRange} >= ${quoted(from)} AND ${keyRange} <= ${quoted(to)})`);
  return `(${last}) AND ${keyRange} >= ${quoted(least)} AND ${keyRange} < ${quoted(most)}${kept.join("")}`;
}

const quoted = (moment: number): string => `'${engineSeconds(Math.floor(moment / 1000))}'`;
