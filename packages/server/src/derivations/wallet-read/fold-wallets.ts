import { dayOf } from "../../definition/day-of.ts";
import type { Day, FoldReader, FoldRows, FoldSlice } from "../../definition/fold.ts";
import { walletConditionDays } from "../../tables/wallet-condition-days.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { createDayWriters } from "../wallet/day-writers.ts";
import { foldWallet } from "../wallet/fold-wallet.ts";
import type { LedgerRow, Resolution } from "../wallet/ledger-row.ts";
import { NOTHING_BEFORE, type Opening, WalletState } from "../wallet/wallet-state.ts";
import { readLedger, type Ledger } from "./read-ledger.ts";
import { readResolutions } from "./read-resolutions.ts";
import { wholeMicrosOf } from "../../definition/read-micros.ts";
import { bind, sql } from "../../definition/sql.ts";
import { tokenDays } from "../../tables/token-days.ts";
import type { MarksOf } from "../wallet/held-tokens.ts";
import type { Marks } from "../wallet/newest-mark.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";
import { copyOf } from "../../definition/table.ts";
import type { OpenPosition } from "../wallet/day-sums.ts";
import type { HoldingState, Lot } from "../wallet/holding.ts";
import { isWalletOf, WALLET_TEXT } from "./wallets-of.ts";

type Own = { readonly wallet: string; readonly opening: Opening; readonly rows: readonly LedgerRow[] };

const DAY_SECONDS = 86_400;

/** Reads what a slice of wallets needs and folds each of them. */
export async function foldWallets(read: FoldReader, slice: FoldSlice): Promise<readonly FoldRows[]> {
  const { keys, from, to, closed } = slice;
  const [ledger, openings] = await Promise.all([readLedger(read, keys, from, to), readOpenings(read, keys, from)]);
  const { tokens, conditions } = named(ledger, openings);
  const [resolved, marksOf] = await Promise.all([readResolutions(read, conditions), readMarks(read, tokens)]);
  const into = createDayWriters();
  // In the order of the table, which spares the engine some of the sorting.
  for (const wallet of keys.toSorted()) {
    const own = { wallet, opening: openings.get(wallet) ?? NOTHING_BEFORE, rows: ledger.rows.get(wallet) ?? [] };
    const resolutions = resolutionsOf(own, resolved, to);
    const through = lastDay(own, resolutions, slice);
    foldWallet({ ...own, resolutions, marksOf, from, through, closed }, into.of(wallet));
  }
  return [
    { table: walletTokenDays, rows: into.tokenDays.packed() },
    { table: walletConditionDays, rows: into.conditionDays.packed() },
    { table: walletDays, rows: into.walletDays.packed() },
  ];
}

/** The tokens and conditions of the ledger and of what was held before. */
function named(ledger: Ledger, openings: ReadonlyMap<string, Opening>) {
  const [tokens, conditions] = [new Set(ledger.tokens), new Set(ledger.conditions)];
  for (const opening of openings.values()) {
    for (const { token, condition } of opening.tokens) {
      tokens.add(token);
      if (condition !== "") conditions.add(condition);
    }
  }
  return { tokens, conditions };
}

function resolutionsOf(
  { opening, rows }: Own,
  resolved: ReadonlyMap<string, Resolution | undefined>,
  to: Day | undefined,
): ReadonlyMap<string, Resolution> {
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) / 1000 + DAY_SECONDS;
  const found = new Map<string, Resolution>();
  for (const some of [opening.tokens, rows]) {
    for (const { condition } of some) {
      const one = resolved.get(condition);
      if (one !== undefined && one.at < end) found.set(condition, one);
    }
  }
  return found;
}

/** Up to the last day that is over, or the last on which something happened. */
function lastDay({ rows }: Own, resolutions: ReadonlyMap<string, Resolution>, { closed, to }: FoldSlice): Day {
  const over = to !== undefined && to < closed ? to : closed;
  let last = rows.at(-1)?.at ?? 0;
  for (const { at } of resolutions.values()) if (at > last) last = at;
  const day = dayOf(last);
  return day > over ? day : over;
}

/** The marks of any of these tokens. */
async function readMarks(read: FoldReader, tokens: Iterable<string>): Promise<MarksOf> {
  const known = await knownOnce(read, "marks", tokens, (ids) => find(read, ids));
  return (token) => known.get(token);
}

async function find(read: FoldReader, ids: readonly string[]): Promise<ReadonlyMap<string, Marks>> {
  const bytes = await read.bytes(
    sql`SELECT token_id, arrayStringConcat(groupArray(toString(toUInt16(day))), ','), arrayStringConcat(groupArray(toString(reinterpretAsInt64(mark))), ',') FROM (SELECT token_id, day, mark FROM ${tokenDays} FINAL WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))})))) ORDER BY token_id, day) GROUP BY token_id`,
    "TSV",
  );
  const found = new Map<string, Marks>();
  for (const [token = "", days = "", marks = ""] of tabRows(bytes)) {
    found.set(token, {
      days: Uint16Array.from(days.split(","), Number),
      marks: Int32Array.from(marks.split(","), Number),
    });
  }
  return found;
}

type Draft = { tokens: HoldingState[]; positions: Map<string, OpenPosition & { readonly day: Day }> };

/** What the days before a day left of each of these wallets, from the rows of those days; nothing where there are none. */
async function readOpenings(
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
      cashTotal: wholeMicrosOf(cash),
      realizedTotal: wholeMicrosOf(realized),
      feeTotal: wholeMicrosOf(fee),
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
      shares: wholeMicrosOf(held),
      cost: wholeMicrosOf(cost),
      lots: lots === "" ? [] : lots.split(",").map(toLot),
      payout: payout === "" ? undefined : wholeMicrosOf(payout),
    });
  }
  // Both tokens of a condition tell of its position; the newer row is right, also in that there is none any more.
  const key = WalletState.keyOf(condition, token);
  const known = draft.positions.get(key);
  if (known !== undefined && known.day >= day) return;
  draft.positions.set(key, { day, openedAt: Number(openedAt), pnl: wholeMicrosOf(pnl), bought: wholeMicrosOf(bought) });
}

function toLot(text: string): Lot {
  const [shares = "", cost = ""] = text.split(":");
  return { shares: wholeMicrosOf(shares), cost: wholeMicrosOf(cost) };
}
