import { isOneOf } from "../definition/filter.ts";
import type { Day } from "../definition/fold.ts";
import { bind, nothing, sql, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../tables/polymarket-position-changes.ts";
import { polymarketTransfers } from "../tables/polymarket-transfers.ts";

const ZERO_DECIMAL = sql`toDecimal64(0, 6)`;

/** V1 took a buyer's fee out of the shares (reference/polymarket.md §8.3): the amount paid for them is the fee. */
const IS_FEE_IN_SHARES = sql`source = 'chain_v1' AND side = 'BUY'`;
/** The smallest fee in shares worth `fee_usd`: one too large would make a wallet sell shares it never had. */
const FEE_SHARES = sql`toDecimal64(ceil(toDecimal128(fee_usd, 6) * shares / greatest(usd, toDecimal64('0.000001', 6)), 6), 6)`;

/** The Data API reports no fees; makers pay none. */
const IS_FEE_KNOWN = sql`role = 'maker' OR source NOT IN ('data_api_v1', 'data_api_v2')`;

/**
 * The ledger of some wallets (0x-hex) from a UTC day on, up to `to` if given: every signed change of a wallet's tokens
 * and money, from fills (fee separate), position changes that are not part of another row, and transfers to others.
 * Columns: wallet, at (DateTime), block_number, log_index, sub, tx_hash, kind, token_id, shares, usd (an operation's
 * full amount is on its first row), fee_usd, is_maker, is_fee_known (else fee_usd is 0). Not sorted. Entries of
 * resolutions are computed in the fold, from the payouts.
 */
export function ledgerSql(keys: readonly string[], from: Day, to: Day | undefined): Sql {
  const until = to === undefined ? nothing : sql` AND ts < toDateTime(toDate(${bind("String", to)}) + 1, 'UTC')`;
  const own = (wallet: Sql): Sql =>
    sql`${isOneOf(wallet, keys, 20)} AND ts >= toDateTime(toDate(${bind("String", from)}), 'UTC')${until}`;
  const fills = copyOf(polymarketFills, "polymarket_fills_by_wallet");
  const changes = copyOf(polymarketPositionChanges, "polymarket_position_changes_by_wallet");
  const sent = copyOf(polymarketTransfers, "polymarket_transfers_by_sender");
  const got = copyOf(polymarketTransfers, "polymarket_transfers_by_receiver");
  // Excludes transfers to oneself: those shares would count as sold for nothing.
  const transfers = (copy: typeof sent, wallet: Sql, kind: Sql, shares: Sql): Sql =>
    sql`SELECT ${wallet} AS wallet, ts AS at, block_number, log_index, place AS sub, tx_hash, ${kind} AS kind, token_id, ${shares} AS shares, ${ZERO_DECIMAL} AS usd,
  ${ZERO_DECIMAL} AS fee_usd, false AS is_maker, true AS is_fee_known
FROM ${copy} WHERE ${own(wallet)} AND from_wallet != to_wallet`;
  return sql`
SELECT wallet, ts AS at, block_number, log_index, toUInt32(0) AS sub, tx_hash, if(side = 'BUY', 'buy', 'sell') AS kind,
  token_id, if(side = 'BUY', shares - fee_shares, -shares) AS shares,
  if(side = 'BUY', fee_within - usd, usd) AS usd, fee_usd, role = 'maker' AS is_maker, (${IS_FEE_KNOWN}) AS is_fee_known
FROM (SELECT *, if(${IS_FEE_IN_SHARES}, ${FEE_SHARES}, ${ZERO_DECIMAL}) AS fee_shares,
    if(${IS_FEE_IN_SHARES}, fee_usd, ${ZERO_DECIMAL}) AS fee_within
  FROM ${fills} WHERE ${own(sql`wallet`)})
UNION ALL
SELECT wallet, ts AS at, block_number, log_index, toUInt32(place - 1) AS sub, tx_hash, toString(kind) AS kind,
  token_ids[place] AS token_id, token_deltas[place] AS shares, if(place = 1, usd_delta, ${ZERO_DECIMAL}) AS usd,
  ${ZERO_DECIMAL} AS fee_usd, false AS is_maker, true AS is_fee_known
FROM ${changes} ARRAY JOIN arrayEnumerate(token_ids) AS place
WHERE ${own(sql`wallet`)} AND NOT is_inner
UNION ALL ${transfers(sent, sql`from_wallet`, sql`'transfer_out'`, sql`-shares`)}
UNION ALL ${transfers(got, sql`to_wallet`, sql`'transfer_in'`, sql`shares`)}`;
}

/** The order in which a ledger is processed. */
export const LEDGER_ORDER = sql`wallet, at, block_number, log_index, tx_hash, kind, sub, token_id`;
