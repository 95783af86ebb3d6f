import { quotient, type MadeValue } from "../../definition/served-buckets.ts";
import type { MadeRow } from "../../definition/served-keyed.ts";
import { NO_TOKEN, type LedgerEntry } from "./ledger-entry.ts";
import { compareTokens, compareValues, type OfToken } from "./tokens.ts";

/** Undefined selects all. Conditions are 0x-hex, tokens decimal text; times are Unix seconds, both inclusive. */
export type LedgerRequested = {
  readonly kind?: string | undefined;
  readonly conditions?: ReadonlySet<string> | undefined;
  readonly tokens?: ReadonlySet<string> | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

/** Position of a row in the order of dataset 1002. */
export type LedgerPlace = {
  /** Unix seconds. */
  readonly at: number;
  /** 0x-hex. */
  readonly tx: string;
  readonly log: number;
  readonly kind: string;
  readonly sub: number;
  /** Decimal text; 0 for income. */
  readonly token: string;
  readonly wallet: string;
};

export type LedgerPageRow = MadeRow & LedgerPlace;

const SHARE = 1_000_000n;

/** The newest first; within a second all fields are descending too. */
export const compareLedgerRows = (a: LedgerPlace, b: LedgerPlace): number =>
  b.at - a.at ||
  compareValues(b.tx, a.tx) ||
  b.log - a.log ||
  compareValues(b.kind, a.kind) ||
  b.sub - a.sub ||
  compareTokens(b.token, a.token) ||
  compareValues(b.wallet, a.wallet);

/** Position of a row according to a cursor: time, transaction, log, kind, index within, token, wallet. */
export const ledgerPlaceOf = ([at, tx, log, kind, sub, token, wallet]: readonly (string | number)[]): LedgerPlace => ({
  at: Date.parse(String(at)) / 1000,
  tx: String(tx),
  log: Number(log),
  kind: String(kind),
  sub: Number(sub),
  token: String(token),
  wallet: String(wallet),
});

/** Rows of dataset 1002 of a wallet; in the order of the entries. */
export function ledgerRows(
  wallet: string,
  entries: readonly LedgerEntry[],
  ofToken: OfToken,
  requested: LedgerRequested,
): LedgerPageRow[] {
  return entries
    .filter((entry) => isRequested(entry, requested))
    .map((entry) => {
      const { at, tx, log, kind, sub, token } = entry;
      return { at, tx, log, kind, sub, token, wallet, values: () => valuesOf(wallet, entry, ofToken) };
    });
}

const isRequested = (entry: LedgerEntry, { kind, conditions, tokens, from, to }: LedgerRequested): boolean =>
  (kind === undefined || entry.kind === kind) &&
  (from === undefined || entry.at >= from) &&
  (to === undefined || entry.at <= to) &&
  (conditions === undefined || conditions.has(entry.condition)) &&
  (tokens === undefined || tokens.has(entry.token));

function valuesOf(wallet: string, entry: LedgerEntry, ofToken: OfToken): Record<string, MadeValue> {
  const { kind, token, shares, usd } = entry;
  const isFill = kind === "buy" || kind === "sell";
  return {
    timestamp: entry.at,
    kind,
    proxy_wallet: wallet,
    token_id: token === NO_TOKEN ? null : token,
    condition_id: entry.condition || null,
    slug: ofToken(token, "slug"),
    outcome: ofToken(token, "outcome"),
    shares,
    usd,
    fee_usd: entry.fee,
    price: isFill ? priceOf(quotient(usd, shares, SHARE)) : (entry.payout ?? null),
    role: isFill ? (entry.isMaker ? "maker" : "taker") : null,
    transaction_hash: entry.tx,
    log_index: entry.log,
    place: entry.sub,
    block_number: entry.block || null,
  };
}

/** Money has the opposite sign of the shares, but a price has no sign. */
const priceOf = (price: ReturnType<typeof quotient>): MadeValue =>
  price && { ...price, parts: price.parts < 0n ? -price.parts : price.parts };
