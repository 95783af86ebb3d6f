import type { ReadRows } from "../../definition/day-derivation.ts";
import { hexOf } from "../../definition/filter.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { balanceSql } from "../../derivations/wallet-window/board-sums-sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { textTable } from "../../cli/text-table.ts";

const HEAD = ["STATUS", "WALLETS", "BALANCED", "LARGEST RESIDUAL, USD", "REALISED LESS FEES, USD"];
const LEGEND = [
  "BALANCED: profit less fees equals payments out less payments in, plus holdings at cost, to the micro-dollar. Proceeds of shares never held are excluded.",
  "estimated: shares came from or went to other wallets, or left without having been held, a result is the catalogue's alone, or the fee of a fill is unknown.",
  "unreconciled: further from balancing than 0.01 USD + 0.0001 USD an event. Its ledger is dataset 1002.",
];

/** The report as text: the wallets by status, then those furthest from balancing. */
export function pnlText({ newest, lines, furthest }: PnlReport): string {
  if (newest === null) return "No wallet is computed yet: the service or `almanac derive` does it.";
  const cells = lines.map((line) => [
    line.status,
    String(line.wallets),
    String(line.balanced),
    line.largest_residual_usd,
    line.realized_usd,
  ]);
  const worst = furthest.map((one) => [one.wallet, one.status, one.residual_usd, String(one.events)]);
  return [
    `Every wallet's cash identity, up to ${newest}`,
    textTable(HEAD, cells),
    "",
    ...LEGEND,
    ...(worst.length === 0 ? [] : ["", textTable(["FURTHEST", "STATUS", "RESIDUAL, USD", "EVENTS"], worst)]),
  ].join("\n");
}

const MAX_SHOWN = 10;

/** The wallets of one `pnl_status` as of their last day; amounts are decimal strings in USD. */
export type PnlLine = {
  readonly status: "exact" | "estimated" | "unreconciled";
  readonly wallets: number;
  /** Number of them whose cash identity holds to the last micro-dollar. */
  readonly balanced: number;
  /** Largest gap in the identity, excluding proceeds of shares that were never held. */
  readonly largest_residual_usd: string;
  /** Realised at average cost, less fees; negative is a loss. */
  readonly realized_usd: string;
};

type PnlReport = {
  /** The last UTC day with a row; null if no wallet is computed. */
  readonly newest: string | null;
  readonly lines: readonly PnlLine[];
  /** The wallets that are furthest from balancing, at most ten. */
  readonly furthest: readonly {
    readonly wallet: string;
    readonly status: PnlLine["status"];
    readonly residual_usd: string;
    readonly events: number;
  }[];
};

/**
 * The cash identity of every wallet: profit less fees = money out less money in + what is held at cost. Proceeds of
 * shares that were never held are not profit and are excluded.
 */
export async function pnlReport(read: ReadRows): Promise<PnlReport> {
  const [days] = await read<{ n: string; newest: string }>(
    sql`SELECT toString(count()) AS n, toString(max(day)) AS newest FROM ${walletDays} WHERE NOT is_gone`,
  );
  if (days === undefined || days.n === "0") return { newest: null, lines: [], furthest: [] };
  const lines = await read<PnlLine>(
    sql`SELECT pnl_status AS status, toUInt32(count()) AS wallets, toUInt32(countIf(imbalance = 0)) AS balanced, toString(max(abs(imbalance))) AS largest_residual_usd, toString(sum(realized)) AS realized_usd FROM ${wallets} GROUP BY status ORDER BY status`,
  );
  const furthest = await read<PnlReport["furthest"][number]>(
    sql`SELECT ${hexOf(sql`wallets.wallet`)} AS wallet, pnl_status AS status, toString(imbalance) AS residual_usd, toUInt32(events_ever) AS events FROM ${wallets} AS wallets WHERE imbalance != 0 ORDER BY abs(imbalance) DESC, wallets.wallet LIMIT ${bind("UInt32", MAX_SHOWN)}`,
  );
  return { newest: days.newest, lines, furthest };
}

const wallets: Sql = sql`(SELECT d.wallet AS wallet, argMax(d.realized_total_usd - d.fee_total_usd, d.day) AS realized, ${balanceSql} FROM (SELECT * FROM ${walletDays} FINAL WHERE NOT is_gone) AS d GROUP BY d.wallet)`;
