import type { INCOME_KINDS } from "../../definition/vocabulary.ts";
import type { Amount, FoldedTokenDay } from "../wallet/folded-wallet.ts";
import type { LedgerKind, LedgerRow, Resolution } from "../wallet/ledger-row.ts";
import { compareValues } from "./tokens.ts";

type IncomeKind = (typeof INCOME_KINDS)[number];

/** A row of dataset 1002: a ledger row with the full hash of its transaction, a resolution, or income. */
export type LedgerEntry = Pick<LedgerRow, "at" | "block" | "log" | "sub" | "token" | "condition" | "isMaker"> & {
  readonly kind: LedgerKind | "resolution" | IncomeKind;
  /** 0x-hex. */
  readonly tx: string;
  readonly shares: Amount;
  readonly usd: Amount;
  readonly fee: Amount;
  /** Per share; only for a resolution. */
  readonly payout?: Amount | undefined;
};

/** A wallet's day with an event of a token, and the token's payout. The resolution of a held token is an event too. */
export type PayoutDay = Pick<FoldedTokenDay, "token" | "condition" | "payout" | "isSettled">;

/** Resolution of a condition; hash, block and log are zeros if only the catalogue gives it. */
export type ResolvedAt = Pick<Resolution, "at" | "block" | "log"> & { readonly tx: string };

/** Token id of income, which has no token. */
export const NO_TOKEN = "0";

/** A row of polymarket_income. */
export type Income = {
  readonly kind: IncomeKind;
  readonly at: number;
  readonly tx: string;
  readonly amount: Amount;
  readonly place: number;
};

/**
 * One entry for each token the wallet held when its condition was resolved: no shares and no money move, and the payout
 * gives the value of a share since then. Resolutions are keyed by condition.
 */
export function ofResolutions(days: Iterable<PayoutDay>, resolutions: ReadonlyMap<string, ResolvedAt>): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const { token, condition, payout, isSettled } of days) {
    const resolved = isSettled ? resolutions.get(condition) : undefined;
    if (resolved === undefined) continue;
    const { at, block, log, tx } = resolved;
    const nothing = { sub: 0, shares: 0, usd: 0, fee: 0, isMaker: false };
    entries.push({ ...nothing, kind: "resolution", at, block, log, tx, token, condition, payout });
  }
  return entries;
}

/**
 * All the income of a wallet: several payments of one kind in one transaction are numbered from 0, the smallest amount
 * first.
 */
export function ofIncome(income: readonly Income[]): LedgerEntry[] {
  const numbers = new Map<string, number>();
  const sorted = income.toSorted((a, b) => compareValues(a.amount, b.amount) || a.place - b.place);
  return sorted.map(({ kind, at, tx, amount: usd }) => {
    const alike = `${at} ${tx} ${kind}`;
    const sub = numbers.get(alike) ?? 0;
    numbers.set(alike, sub + 1);
    return {
      kind,
      at,
      block: 0,
      log: 0,
      sub,
      tx,
      token: NO_TOKEN,
      condition: "",
      shares: 0,
      usd,
      fee: 0,
      isMaker: false,
    };
  });
}
