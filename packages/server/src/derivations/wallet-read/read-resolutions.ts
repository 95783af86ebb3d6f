import type { FoldReader } from "../../definition/fold.ts";
import { isOneOf } from "../../definition/filter.ts";
import { wholeMicrosOf } from "../../definition/read-micros.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { resolutionsSql } from "../resolutions-sql.ts";
import type { Amount } from "../wallet/folded-wallet.ts";
import type { Resolution } from "../wallet/ledger-row.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";

/** What conditions (0x-hex) paid, as resolutionsSql has it, by condition; without those that are not resolved. */
export function readResolutions(
  read: FoldReader,
  conditions: Iterable<string>,
): Promise<ReadonlyMap<string, Resolution | undefined>> {
  return knownOnce(read, "resolutions", conditions, (ids) => find(read, ids));
}

async function find(read: FoldReader, ids: readonly string[]): Promise<ReadonlyMap<string, Resolution>> {
  const chosen = isOneOf(sql`condition_id`, ids, 32);
  const bytes = await read.bytes(
    sql`SELECT concat('0x', lower(hex(r.condition_id))), toUnixTimestamp(r.ts), r.block_number, r.log_index, toUInt8(r.is_from_catalogue), t.token_id, reinterpretAsInt64(r.payouts[t.outcome_index + 1])
FROM ${resolutionsSql({ chosen })} AS r
INNER JOIN (SELECT token_id, condition_id, outcome_index FROM ${polymarketTokens} FINAL WHERE ${chosen} AND outcome_index < 255) AS t ON t.condition_id = r.condition_id`,
    "TSV",
  );
  const found = new Map<string, Resolution & { readonly payouts: Map<string, Amount> }>();
  for (const [condition = "", at, block, log, isFromCatalogue, token = "", payout = ""] of tabRows(bytes)) {
    const known = found.get(condition);
    if (known !== undefined) known.payouts.set(token, wholeMicrosOf(payout));
    else {
      const payouts = new Map([[token, wholeMicrosOf(payout)]]);
      const place = { at: Number(at), block: Number(block), log: Number(log) };
      found.set(condition, { ...place, isFromCatalogue: isFromCatalogue === "1", payouts });
    }
  }
  return found;
}
