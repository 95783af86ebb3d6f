import { dayOf } from "../../definition/day-of.ts";
import type { Day, FoldReader, FoldRows, FoldSlice } from "../../definition/fold.ts";
import { walletConditionDays } from "../../tables/wallet-condition-days.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { foldWallet, type WalletRows } from "../wallet/fold-wallet.ts";
import type { LedgerRow, Resolution } from "../wallet/ledger-row.ts";
import { NOTHING_BEFORE, type Opening } from "../wallet/wallet-state.ts";
import { readLedger } from "./read-ledger.ts";
import { readMarks } from "./read-marks.ts";
import { readOpenings } from "./read-openings.ts";
import { readResolutions } from "./read-resolutions.ts";

type Own = { readonly wallet: string; readonly opening: Opening; readonly rows: readonly LedgerRow[] };

/** Reads what a slice of wallets needs and folds each of them. */
export async function foldWallets(read: FoldReader, slice: FoldSlice): Promise<readonly FoldRows[]> {
  const { keys, from, to } = slice;
  const [ledger, openings] = await Promise.all([readLedger(read, keys, from, to), readOpenings(read, keys, from)]);
  const all = keys.map((wallet) => ({
    wallet,
    opening: openings.get(wallet) ?? NOTHING_BEFORE,
    rows: ledger.get(wallet) ?? [],
  }));
  const held = all.flatMap(({ opening }) => opening.tokens);
  const done = all.flatMap(({ rows }) => rows);
  const named = [...held, ...done].filter(({ condition }) => condition !== "");
  const [resolved, markOf] = await Promise.all([
    readResolutions(
      read,
      named.map(({ condition }) => condition),
    ),
    readMarks(
      read,
      [...held, ...done].map(({ token }) => token),
    ),
  ]);
  const made = all.map((own) => {
    const resolutions = resolutionsOf(own, resolved, to);
    const through = lastDay(own, resolutions, slice);
    return withoutOpenDays(foldWallet({ ...own, resolutions, markOf, from, through }), slice.closed);
  });
  return [
    { table: walletTokenDays, rows: made.flatMap(({ tokenDays }) => tokenDays) },
    { table: walletConditionDays, rows: made.flatMap(({ conditionDays }) => conditionDays) },
    { table: walletDays, rows: made.flatMap(({ walletDays: rows }) => rows) },
  ];
}

function resolutionsOf(
  { opening, rows }: Own,
  resolved: ReadonlyMap<string, Resolution | undefined>,
  to: Day | undefined,
): ReadonlyMap<string, Resolution> {
  const found = new Map<string, Resolution>();
  for (const { condition } of [...opening.tokens, ...rows]) {
    const one = resolved.get(condition);
    if (one !== undefined && (to === undefined || dayOf(one.at) <= to)) found.set(condition, one);
  }
  return found;
}

/** Up to the last day that is over, or the last on which something happened. */
function lastDay({ rows }: Own, resolutions: ReadonlyMap<string, Resolution>, { closed, to }: FoldSlice): Day {
  let last = to !== undefined && to < closed ? to : closed;
  for (const { at } of [...rows.slice(-1), ...resolutions.values()]) {
    const day = dayOf(at);
    if (day > last) last = day;
  }
  return last;
}

/** Of a day that is not over there is a row only for who did something; the others get theirs when it ends. */
function withoutOpenDays(made: WalletRows, closed: Day): WalletRows {
  const active = new Set(made.tokenDays.map(({ day }) => day));
  const rows = made.walletDays.filter(({ day }) => String(day) <= closed || active.has(day));
  return { ...made, walletDays: rows };
}
