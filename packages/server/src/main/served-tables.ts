import { datasets, tables } from "../catalogue.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { ServedTable } from "../definition/served.ts";
import type { TableDefinition } from "../definition/table.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedBookEvents } from "../tables/served-book-events.ts";
import { servedCandles, servedQuotes } from "../tables/served-candles.ts";
import { servedFills } from "../tables/served-fills.ts";
import { servedIncome, servedIncomeWallets } from "../tables/served-income.ts";
import { servedKalshiCandles } from "../tables/served-kalshi-candles.ts";
import { servedKalshiTrades } from "../tables/served-kalshi-trades.ts";
import { servedMarkets } from "../tables/served-markets.ts";
import { servedPositionChanges } from "../tables/served-position-changes.ts";
import { servedPrints } from "../tables/served-prints.ts";
import { servedResolutions } from "../tables/served-resolutions.ts";
import { servedTokenDays } from "../tables/served-token-days.ts";
import { servedTransfers } from "../tables/served-transfers.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { servedWalletEntries } from "../tables/served-wallet-entries.ts";
import { servedWalletPatterns } from "../tables/served-wallet-patterns.ts";
import { servedWalletScores } from "../tables/served-wallet-scores.ts";

/** Tables indexed by key, each with its weight in the division of the index bytes. */
export const SERVED = [
  { served: servedFills, part: 6 },
  { served: servedKalshiTrades, part: 2 },
  { served: servedCandles, part: 1 },
  { served: servedQuotes, part: 1 },
  { served: servedKalshiCandles, part: 1 },
  { served: servedPrints, part: 1 },
  { served: servedBookEvents, part: 3 },
  { served: servedResolutions, part: 0.5 },
  { served: servedPositionChanges, part: 2 },
  { served: servedWalletDays, part: 3 },
  { served: servedTransfers, part: 1 },
  { served: servedTokenDays, part: 1 },
  { served: servedWalletEntries, part: 2 },
  { served: servedWalletPatterns, part: 1 },
  { served: servedWalletScores, part: 1 },
  { served: servedIncome, part: 0.5 },
  { served: servedIncomeWallets, part: 0.5 },
  { served: servedMarkets, part: 0.5 },
];
/** Token tables, indexed by token id. */
export const TOKENS = [polymarketTokens];

/** The tables that have lists, each with the dataset answered from it. */
export const listedTables = (): (readonly [table: string, DatasetDefinition])[] =>
  datasets.flatMap((dataset) => (dataset.listed ? [[dataset.listed.table.name, dataset] as const] : []));

export function tableOf(served: ServedTable): TableDefinition {
  const table = tables.find((each) => each.name === served.name);
  if (table === undefined) throw new TypeError(`there is no table ${served.name}`);
  return table;
}
