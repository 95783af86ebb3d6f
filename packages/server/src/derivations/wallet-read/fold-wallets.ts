import { dayOf } from "../../definition/day-of.ts";
import type { Day, FoldReader, FoldRows, FoldSlice } from "../../definition/fold.ts";
import { walletConditionDays } from "../../tables/wallet-condition-days.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { createDayWriters } from "../wallet/day-writers.ts";
import { foldWallet } from "../wallet/fold-wallet.ts";
import type { LedgerRow, Resolution } from "../wallet/ledger-row.ts";
import { NOTHING_BEFORE, type Opening } from "../wallet/wallet-state.ts";
import { readLedger, type Ledger } from "./read-ledger.ts";
import { readMarks } from "./read-marks.ts";
import { readOpenings } from "./read-openings.ts";
import { readResolutions } from "./read-resolutions.ts";

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
    foldWallet({ ...own, resolutions, marksOf, from, through, closed }, into);
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
