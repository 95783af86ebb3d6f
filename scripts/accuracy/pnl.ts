import { textTable } from "../../packages/server/src/cli/text-table.ts";
import type { Accuracy } from "./accuracy.ts";
import type { Agreement, PnlVerdict } from "./pnl/compare-pnl.ts";
import { gatherPnl } from "./pnl/gather-pnl.ts";

/** Worlds that the whole service ingests call by call: smaller than those loaded from files. */
const WORLD = { events: 60, wallets: 400, kalshi_markets: 5, activity: 2 };
const DAYS = 1;
const FIGURES = ["cash", "realized", "residual"] as const;

/** Every wallet's cash, realised profit and residual against the ground truth of worlds that the service ingested. */
export const accuracyOfPnl: Accuracy = async (worlds) => {
  const value: PnlVerdict[] = [];
  for (const { seed } of worlds) value.push(await gatherPnl({ seed, days: DAYS, world: WORLD, say }));
  const rows = value.flatMap((verdict) =>
    FIGURES.map((figure) => [String(verdict.seed), String(verdict.fills), figure].concat(shown(verdict[figure]))),
  );
  const text = textTable(["SEED", "FILLS", "FIGURE", "EXACT", "ALL", "LARGEST DIFFERENCE, USD", "WHERE"], rows);
  return { text, value };
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const shown = ({ exact, all, largestUsd, where }: Agreement): string[] => [
  String(exact),
  String(all),
  largestUsd.toFixed(6),
  where,
];
