import { textTable } from "../../cli/text-table.ts";
import type { PnlReport } from "./pnl-report.ts";

const HEAD = ["STATUS", "WALLETS", "BALANCED", "LARGEST RESIDUAL, USD", "REALISED LESS FEES, USD"];
const LEGEND = [
  "BALANCED: profit less fees is what was paid out less what was paid in, and what is held at its cost, to the micro-dollar. What was got for shares that were never held is left out.",
  "estimated: shares came from or went to other wallets, or left without having been held, a result is the catalogue's alone, or the fee of a fill is not known.",
  "unreconciled: further from balancing than 0.01 USD + 0.0001 USD an event. Its ledger is dataset 1002.",
];

/** The report for people: the wallets by status, then those furthest from balancing. */
export function pnlText({ newest, lines, furthest }: PnlReport): string {
  if (newest === null) return "No wallet is worked out yet: the service or `almanac derive` does it.";
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
