import type { Day, FoldReader } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import type { OpenPosition } from "../wallet/day-sums.ts";
import type { HoldingState } from "../wallet/holding.ts";
import { NOTHING_BEFORE, type Opening, WalletState } from "../wallet/wallet-state.ts";
import { tabRows } from "./tab-rows.ts";
import { isWalletOf, WALLET_TEXT } from "./wallets-of.ts";

type Draft = { tokens: HoldingState[]; positions: Map<string, OpenPosition & { readonly day: Day }> };

/** What the days before a day left of each of these wallets, from the rows of those days; nothing where there are none. */
export async function readOpenings(
  read: FoldReader,
  keys: readonly string[],
  from: Day,
): Promise<ReadonlyMap<string, Opening>> {
  const totals = await readTotals(read, keys, from);
  if (totals.size === 0) return totals;
  const drafts = await readTokens(read, [...totals.keys()], from);
  return new Map(
    [...totals].map(([wallet, opening]) => {
      const draft = drafts.get(wallet);
      const open = [...(draft?.positions ?? [])].filter(([, { openedAt }]) => openedAt > 0);
      return [wallet, { ...opening, tokens: draft?.tokens ?? [], positions: new Map(open) }];
    }),
  );
}

async function readTotals(read: FoldReader, keys: readonly string[], from: Day): Promise<Map<string, Opening>> {
  const byWallet = copyOf(walletDays, "wallet_days_by_wallet");
  const bytes = await read.bytes(
    sql`SELECT ${WALLET_TEXT}, reinterpretAsInt64(cash_total_usd), reinterpretAsInt64(realized_total_usd), reinterpretAsInt64(fee_total_usd), toUInt8(is_estimated) FROM ${byWallet} FINAL WHERE ${isWalletOf(keys)(sql`wallet`)} AND day < toDate(${bind("String", from)}) AND NOT is_gone ORDER BY wallet, day DESC LIMIT 1 BY wallet`,
    "TSV",
  );
  const totals = new Map<string, Opening>();
  for (const [wallet = "", cash = "", realized = "", fee = "", isEstimated] of tabRows(bytes)) {
    totals.set(wallet, {
      ...NOTHING_BEFORE,
      cashTotal: BigInt(cash),
      realizedTotal: BigInt(realized),
      feeTotal: BigInt(fee),
      isEstimated: isEstimated === "1",
    });
  }
  return totals;
}

async function readTokens(read: FoldReader, keys: readonly string[], from: Day): Promise<Map<string, Draft>> {
  const lots = sql`arrayStringConcat(arrayMap(lot -> concat(toString(reinterpretAsInt64(lot.1)), ':', toString(reinterpretAsInt64(lot.2))), lots), ',')`;
  const bytes = await read.bytes(
    sql`SELECT * FROM (SELECT ${WALLET_TEXT}, token_id, if(condition_id = toFixedString('', 32), '', concat('0x', lower(hex(condition_id)))), reinterpretAsInt64(shares) AS held, reinterpretAsInt64(cost_usd), ${lots}, if(payout IS NULL, '', toString(reinterpretAsInt64(assumeNotNull(payout)))), toString(day), ifNull(toUnixTimestamp(position_opened_at), 0), reinterpretAsInt64(position_pnl_usd), reinterpretAsInt64(position_bought_usd) FROM ${walletTokenDays} FINAL WHERE ${isWalletOf(keys)(sql`wallet`)} AND day < toDate(${bind("String", from)}) AND NOT is_gone ORDER BY wallet, token_id, day DESC LIMIT 1 BY wallet, token_id)`,
    "TSV",
  );
  const drafts = new Map<string, Draft>();
  for (const [wallet = "", ...fields] of tabRows(bytes)) {
    let draft = drafts.get(wallet);
    if (draft === undefined) drafts.set(wallet, (draft = { tokens: [], positions: new Map() }));
    addToken(draft, fields);
  }
  return drafts;
}

function addToken(draft: Draft, fields: readonly string[]): void {
  const [token = "", condition = "", held = "", cost = "", lots = "", payout = "", ...position] = fields;
  const [day = "", openedAt = "", pnl = "", bought = ""] = position;
  if (held !== "0") {
    draft.tokens.push({
      token,
      condition,
      shares: BigInt(held),
      cost: BigInt(cost),
      lots: lots === "" ? [] : lots.split(",").map(toLot),
      payout: payout === "" ? undefined : BigInt(payout),
    });
  }
  // Both tokens of a condition tell of its position; the newer row is right, also in that there is none any more.
  const key = WalletState.keyOf(condition, token);
  const known = draft.positions.get(key);
  if (known !== undefined && known.day >= day) return;
  draft.positions.set(key, { day, openedAt: Number(openedAt), pnl: BigInt(pnl), bought: BigInt(bought) });
}

function toLot(text: string): { shares: bigint; cost: bigint } {
  const [shares = "", cost = ""] = text.split(":");
  return { shares: BigInt(shares), cost: BigInt(cost) };
}
