import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import type { ScoreEvent } from "./score-event.ts";
import { EVENT_OF_PROFIT, MARKETS } from "./span-sql.ts";
import { SUMMED, toEvent, withoutEntries } from "./summed-columns.ts";

const SUMS = fromDefinition(SUMMED.map((column) => `sum(${column}) AS ${column}`).join(", "));

/** Whose sample a row is of: its name as an expression, and the columns that tell it. */
export type SampleOwner = { readonly name: Sql; readonly by: Sql };

/** Sums of rows of wallet_entries by event. */
export const eventsSql = (entries: Sql, { name, by }: SampleOwner): Sql =>
  sql`SELECT ${name} AS owner, toString(event_key) AS event, category, ${SUMS} FROM ${entries} GROUP BY ${by}, event_key, category ORDER BY ${by}, event_key, category`;

/** Profits of rows of wallet_token_days by market; `markets` is a condition on those that they may be of. */
export const profitsSql = (tokenDays: Sql, { name, by }: SampleOwner, markets: Sql): Sql =>
  sql`SELECT ${name} AS owner, toString(${EVENT_OF_PROFIT}) AS event, ifNull(m.category, '') AS category, profit
FROM (SELECT ${by}, condition_id, sum(realized_usd - fee_usd) AS profit FROM ${tokenDays} GROUP BY ${by}, condition_id) AS p LEFT JOIN (${MARKETS} WHERE ${markets}) AS m USING (condition_id) ORDER BY ${by}, condition_id`;

/** The events of each owner of rows of these two statements, as the engine printed them (JSONCompactColumns). */
export function drawnEvents(sums: Uint8Array, gains: Uint8Array): ReadonlyMap<string, ScoreEvent[]> {
  const [owners = [], keys = [], categories = [], ...figures] =
    columnsOf<[string[], string[], string[], ...number[][]]>(sums);
  const profits = profitsOf(gains);
  return new Map(
    runsOf(owners).map(({ key: owner, from, to }) => {
      const own = profits.get(owner) ?? new Map<string, EventProfits>();
      const events: ScoreEvent[] = [];
      for (let row = from; row < to; row += 1) {
        const key = keyOf(keys[row], categories[row]);
        const sumsOfRow = figures.map((column) => column?.[row] ?? 0);
        events.push(toEvent(sumsOfRow, 0, categories[row] ?? "", own.get(key)?.profits ?? []));
        own.delete(key);
      }
      // Those with profits alone come last, in the order of their rows.
      for (const other of own.values()) events.push(withoutEntries(other.category, other.profits));
      return [owner, events];
    }),
  );
}

type EventProfits = { readonly category: string; readonly profits: number[] };

/** Without a row there are no columns. */
const columnsOf = <T extends unknown[]>(bytes: Uint8Array): Partial<T> =>
  JSON.parse(Buffer.from(bytes).toString("utf8")) as T;
const keyOf = (event: string | undefined, category: string | undefined): string => `${event} ${category}`;

/** Where each of the values that follow each other begins and ends. */
function runsOf(values: readonly string[]): { key: string; from: number; to: number }[] {
  const runs: { key: string; from: number; to: number }[] = [];
  for (const [row, key] of values.entries()) {
    const last = runs.at(-1);
    if (last?.key === key) last.to = row + 1;
    else runs.push({ key, from: row, to: row + 1 });
  }
  return runs;
}

/** By owner and event: profits of its markets. */
function profitsOf(bytes: Uint8Array): Map<string, Map<string, EventProfits>> {
  const [owners = [], events = [], categories = [], profits = []] =
    columnsOf<[string[], string[], string[], number[]]>(bytes);
  const found = new Map<string, Map<string, EventProfits>>();
  for (const { key: owner, from, to } of runsOf(owners)) {
    const own = new Map<string, EventProfits>();
    for (let row = from; row < to; row += 1) {
      const [key, category, profit] = [keyOf(events[row], categories[row]), categories[row] ?? "", profits[row] ?? 0];
      const known = own.get(key);
      if (known) known.profits.push(profit);
      else own.set(key, { category, profits: [profit] });
    }
    found.set(owner, own);
  }
  return found;
}
