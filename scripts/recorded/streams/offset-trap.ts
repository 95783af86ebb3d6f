import { join } from "node:path";
import { readCsv } from "../../../packages/exchange/src/record/read-csv.ts";
import { polymarketTradesDataV1Stream } from "../../../packages/server/src/connectors/polymarket/trades-data-v1.ts";
import { sql } from "../../../packages/server/src/definition/sql.ts";
import { polymarketFills } from "../../../packages/server/src/tables/polymarket-fills.ts";
import { answerAll } from "../answer-all.ts";
import { countRows } from "../count-rows.ts";
import { countFills } from "../fill-tally.ts";
import type { House } from "../open-house.ts";
import { readTokens } from "../read-tokens.ts";
import { runTurns } from "../run-turns.ts";
import type { StreamCount } from "../stream-count.ts";

const FILE = "polymarket/data_api_v1/ibalgo/trades_raw_offset_trap_2025-10-10.csv.gz";
const DAY = { start_time: "2025-10-10", end_time: "2025-10-10" };

/** 5,000 rows of the first Data API in ten pages, the last eight of them alike: 1,500 trades, and the repeat noticed. */
export async function offsetTrap(house: House): Promise<readonly StreamCount[]> {
  // The newest second is left for the second turn, where it is known to be whole.
  const notices = await runTurns(house, polymarketTradesDataV1Stream, { turns: 2 });
  const repeated = notices.filter(({ kind }) => kind === "repeated_page");
  await readTokens(house.store);
  const counted = await countFills(readRecorded(house.dir), answerAll(house, 556, DAY, 10_000));
  const stored = await countRows(house, polymarketFills, sql`source = 'data_api_v1'`);
  const note =
    repeated.length > 0
      ? `noticed: ${repeated.map(({ text, count }) => `${text}, ${count} rows`).join("; ")}`
      : "the repeated pages were NOT noticed";
  return [{ stream: "Data API v1 trades, offset trap", stored, note, ...counted }];
}

async function* readRecorded(dir: string) {
  for await (const row of readCsv(join(dir, FILE))) {
    yield {
      transaction: row["transactionHash"] ?? "",
      wallet: row["proxyWallet"] ?? "",
      token: row["asset"] ?? "",
      side: row["side"] ?? "",
      size: Number(row["size"]),
      price: Number(row["price"]),
      seconds: Number(row["timestamp"]),
      condition: row["conditionId"] ?? "",
      outcome: row["outcome"] ?? "",
      slug: row["slug"] ?? "",
    };
  }
}
