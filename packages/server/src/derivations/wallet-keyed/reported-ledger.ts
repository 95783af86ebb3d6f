import type { KeyedReader, ReadKeyed, TokenFacts } from "../../definition/served-keyed.ts";
import type { Micros } from "../../definition/micros.ts";
import { UNKNOWN_OUTCOME } from "../../tables/polymarket-tokens.ts";
import { servedFills } from "../../tables/served-fills.ts";
import { servedPositionChanges } from "../../tables/served-position-changes.ts";
import { servedTransfers } from "../../tables/served-transfers.ts";
import type { ResolvedAt } from "../wallet-figures/ledger-entry.ts";
import type { OfToken } from "../wallet-figures/tokens.ts";
import type { Resolution } from "../wallet/ledger-row.ts";
import { ledgerByKey, type Span, type ReportedRow } from "./ledger-by-key.ts";
import { resolutionByKey } from "./resolutions-by-key.ts";

/** Tables that a ledger by key reads, in addition to tokens. */
export const LEDGER_FROM = [servedFills, servedPositionChanges, servedTransfers] as const;

/** A wallet's ledger in LEDGER_ORDER, and the facts of its tokens. */
export type ReportedLedger = {
  readonly rows: readonly ReportedRow[];
  readonly reported: ReadonlyMap<string, TokenFacts>;
};

/** Tokens or conditions looked up in one step. */
const KEYS_A_STEP = 128;

export type ReportedResolution = Resolution & ResolvedAt;

/** A wallet's ledger by key, with the conditions of its tokens; in steps. */
export function* reportedLedger(
  wallet: string,
  { rows: read, tokens }: KeyedReader,
  span: Span,
): Generator<undefined, ReportedLedger> {
  const rows = yield* ledgerByKey(wallet, read, span);
  const held = [...new Set(rows.map(({ token }) => token))];
  const reported = new Map<string, TokenFacts>();
  for (let from = 0; from < held.length; from += KEYS_A_STEP) {
    for (const [token, facts] of tokens(held.slice(from, from + KEYS_A_STEP))) reported.set(token, facts);
    yield;
  }
  for (const row of rows) row.condition = reported.get(row.token)?.condition_id ?? "";
  return { rows, reported };
}

export const ofReported =
  ({ reported }: Pick<ReportedLedger, "reported">): OfToken =>
  (token, attribute) =>
    reported.get(token)?.[attribute] || null;

/** Resolutions of the conditions of a ledger's tokens before a second; in steps. */
export function* resolutionsOf(
  { reported }: ReportedLedger,
  end: number,
  read: ReadKeyed,
): Generator<undefined, Map<string, ReportedResolution>> {
  const known = [...reported].filter(([, { condition_id: condition }]) => condition !== "");
  const found = new Map<string, ReportedResolution>();
  let looked = 0;
  for (const [condition, tokens] of Map.groupBy(known, ([, about]) => about.condition_id)) {
    looked += 1;
    if (looked % KEYS_A_STEP === 0) yield;
    const paid = resolutionByKey(condition, read);
    if (paid === undefined || paid.at >= end) continue;
    const payouts = new Map<string, Micros>();
    for (const [token, { outcome_index: outcome }] of tokens)
      if (outcome !== UNKNOWN_OUTCOME) payouts.set(token, paid.payouts[outcome] ?? 0);
    found.set(condition, { ...paid, payouts });
  }
  return found;
}
