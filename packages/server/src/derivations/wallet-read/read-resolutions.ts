import type { FoldReader } from "../../definition/fold.ts";
import { isOneOf } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import type { Resolution } from "../wallet/ledger-row.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";

const BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");

/** What conditions (0x-hex) paid, as the chain told it, by condition; without those that are not resolved. */
export function readResolutions(
  read: FoldReader,
  conditions: Iterable<string>,
): Promise<ReadonlyMap<string, Resolution | undefined>> {
  return knownOnce(read, "resolutions", conditions, (ids) => find(read, ids));
}

async function find(read: FoldReader, ids: readonly string[]): Promise<ReadonlyMap<string, Resolution>> {
  const chosen = isOneOf(sql`condition_id`, ids, 32);
  const bytes = await read.bytes(
    sql`SELECT concat('0x', lower(hex(r.condition_id))), toUnixTimestamp(r.ts), r.block_number, r.log_index, t.token_id, reinterpretAsInt64(r.payouts[t.outcome_index + 1])
FROM (SELECT condition_id, ts, block_number, log_index, payouts FROM ${BY_CONDITION} WHERE ${chosen} ORDER BY condition_id, ts LIMIT 1 BY condition_id) AS r
INNER JOIN (SELECT token_id, condition_id, outcome_index FROM ${polymarketTokens} FINAL WHERE condition_id IN (SELECT condition_id FROM ${BY_CONDITION} WHERE ${chosen}) AND outcome_index < 255) AS t ON t.condition_id = r.condition_id`,
    "TSV",
  );
  const found = new Map<string, Resolution & { readonly payouts: Map<string, bigint> }>();
  for (const [condition = "", at, block, log, token = "", payout = ""] of tabRows(bytes)) {
    const known = found.get(condition);
    if (known !== undefined) known.payouts.set(token, BigInt(payout));
    else {
      const payouts = new Map([[token, BigInt(payout)]]);
      found.set(condition, { at: Number(at), block: Number(block), log: Number(log), payouts });
    }
  }
  return found;
}
