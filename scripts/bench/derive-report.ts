import { markdownTable } from "./markdown-table.ts";
import type { Watched } from "./watched-child.ts";
import { sql, bind } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

export type DeriveResult = {
  readonly at: string;
  readonly fills: number;
  readonly generated: Watched | undefined;
  readonly loaded: Watched;
  readonly built: readonly (readonly [table: string, Watched])[];
  readonly sizes: { readonly before: readonly TableSize[]; readonly after: readonly TableSize[] };
  readonly cash: WrongCash;
};

const whole = (value: number): string => Math.round(value).toLocaleString("en");

const total = (list: readonly TableSize[]): number => list.reduce((sum, { mib }) => sum + mib, 0);

/** The figures of a build, as Markdown. */
export function printDerive(result: DeriveResult): string {
  const { fills, generated, loaded, built, sizes, cash } = result;
  const steps: readonly (readonly [string, Watched | undefined])[] = [
    ["generate", generated],
    ["load", loaded],
    ...built.map(([name, one]) => [`derive ${name}`, one] as const),
  ];
  const heads = ["step", "s", "fills/s", "CPU s service", "engine", "peak MiB service", "engine", "together", "load"];
  const lines = steps.flatMap(([name, one]) => (one === undefined ? [] : [[name, ...stepCells(one, fills)]]));
  const made = sizes.after.filter(({ table: name, rows }) => rows !== rowsOf(sizes.before, name));
  const madeLines = made.map(({ table: name, rows, mib }) => [name, whole(rows), whole(mib)]);
  return `${[
    markdownTable(heads, lines),
    ...built.filter(([, one]) => partsOf(one).length > 1).map(([, one]) => printParts(one)),
    markdownTable(["table", "rows", "MiB on disk"], madeLines),
    `On disk ${whole(total(sizes.before))} MiB before, ${whole(total(sizes.after))} MiB after. Cash of ${whole(cash.wallets)} wallets against the truth: ${cash.wrong} wrong, at most ${cash.most_usd} USD.`,
  ].join("\n\n")}\n`;
}

type Part = { readonly name: string; readonly made: string; readonly seconds: number };

const partsOf = ({ text }: Watched): readonly Part[] => (JSON.parse(text) as { derived: readonly Part[] }).derived;

/** Duration of each part of a full run; several run at a time. */
const printParts = (one: Watched): string =>
  markdownTable(
    ["derived", "made", "s, with others running"],
    partsOf(one).map(({ name, made, seconds }) => [name, made, whole(seconds)]),
  );

function stepCells({ seconds, cpu, peak, load }: Watched, fills: number): readonly string[] {
  const mib = [peak.service_mib, peak.engine_mib, peak.together_mib].map(whole);
  return [
    whole(seconds),
    whole(fills / seconds),
    whole(cpu.service_s),
    whole(cpu.engine_s),
    ...mib,
    load.map((one) => one.toFixed(1)).join(" → "),
  ];
}

const rowsOf = (list: readonly TableSize[], name: string): number => list.find((one) => one.table === name)?.rows ?? 0;

export type TableSize = { readonly table: string; readonly rows: number; readonly mib: number };

/** Rows and bytes on disk of every non-empty table, each sort order separately. */
export async function tableSizes(store: Store): Promise<readonly TableSize[]> {
  const rows = await store.rows<{ table: string; n: string; bytes: string }>(
    sql`SELECT table, toString(sum(rows)) AS n, toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table HAVING sum(rows) > 0 ORDER BY table`,
  );
  return rows.map(({ table, n, bytes }) => ({ table, rows: Number(n), mib: Number(bytes) / 2 ** 20 }));
}

/** Wallets of the world, and those whose cash on their last day differs from the truth, to the millionth. */
export type WrongCash = { readonly wallets: number; readonly wrong: number; readonly most_usd: number };

/** Compares wallets' cash on their last day with a generated world's ground truth (its wallets.parquet). */
export async function wrongCash(store: Store, truth: string): Promise<WrongCash> {
  const [found] = await store.rows<{ wallets: string; wrong: string; most: number }>(
    sql`SELECT toString(count()) AS wallets, toString(countIf(difference != 0)) AS wrong, max(abs(difference)) / 1000000 AS most
FROM (SELECT t.cash_pnl_micro - ifNull(toInt64(d.cash * 1000000), 0) AS difference
  FROM (SELECT toFixedString(unhex(substring(wallet, 3)), 20) AS own, cash_pnl_micro FROM file(${bind("String", truth)}, Parquet)) AS t LEFT JOIN (
    SELECT wallet AS own, argMax(toDecimal128(cash_total_usd, 6), day) AS cash FROM wallet_days FINAL WHERE NOT is_gone GROUP BY wallet
  ) AS d ON d.own = t.own)`,
    { settings: { max_execution_time: 600, max_threads: 2 } },
  );
  return { wallets: Number(found?.wallets), wrong: Number(found?.wrong), most_usd: Number(found?.most) };
}
