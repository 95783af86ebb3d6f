import { addMicros, lessMicros, exactMicros, microsOf, type Micros } from "../../definition/micros.ts";
import type { KeyedRow, ReadKeyed } from "../../definition/served-keyed.ts";
import { servedFills } from "../../tables/served-fills.ts";
import { servedPositionChanges } from "../../tables/served-position-changes.ts";
import { servedTransfers } from "../../tables/served-transfers.ts";
import type { LedgerKind, LedgerRow } from "../wallet/ledger-row.ts";

/** A row whose condition is still to be filled in. */
export type LedgerDraft = { -readonly [Field in keyof ReportedRow]: ReportedRow[Field] };
/** A row with the fee that V1 took out of a buy's shares; 0 for all others. */
export type ReportedRow = LedgerRow & { readonly feeShares: Micros };
/** Seconds, both inclusive. */
export type Span = { readonly from: number; readonly to: number };

const MILLION = 1_000_000n;
const FROM_CHAIN = "chain_v1";

/** Rows read in one step. */
const ROWS_A_STEP = 256;

/**
 * A wallet's ledger as in ledgerSql, from rows by key, in LEDGER_ORDER; in steps. Conditions are empty: the caller
 * fills them in.
 */
export function* ledgerByKey(wallet: string, read: ReadKeyed, span: Span): Generator<undefined, LedgerDraft[]> {
  const rows: LedgerDraft[] = [];
  for (const row of read(servedFills, "wallet", wallet, span)) {
    rows.push(fillOf(row));
    if (rows.length % ROWS_A_STEP === 0) yield;
  }
  for (const row of read(servedPositionChanges, "wallet", wallet, span))
    if (row.number("is_inner") === 0) addChange(rows, row);
  for (const row of read(servedTransfers, "from_wallet", wallet, span)) addTransfer(rows, row, "transfer_out");
  for (const row of read(servedTransfers, "to_wallet", wallet, span)) addTransfer(rows, row, "transfer_in");
  return rows.sort(inOrder);
}

function fillOf(row: KeyedRow): LedgerDraft {
  const source = String(row.value("source"));
  const [shares, usd, fee] = [row.micros("shares"), row.micros("usd"), row.micros("fee_usd")];
  const isMaker = row.value("role") === "maker";
  const isBuy = row.value("side") === "BUY";
  // V1 took a buyer's fee out of the shares: the amount paid for them is the fee.
  const isFeeInShares = isBuy && source === FROM_CHAIN;
  const inShares = isFeeInShares ? exactMicros(feeShares(fee, shares, usd)) : 0;
  return {
    ...placeOf(row),
    kind: isBuy ? "buy" : "sell",
    sub: 0,
    token: String(row.value("token_id")),
    shares: isBuy ? exactMicros(lessMicros(shares, inShares)) : minus(shares),
    usd: isBuy ? exactMicros(isFeeInShares ? lessMicros(fee, usd) : minus(usd)) : exactMicros(usd),
    fee: exactMicros(fee),
    isMaker,
    isFeeKnown: isMaker || (source !== "data_api_v1" && source !== "data_api_v2"),
    feeShares: inShares,
  };
}

/** The smallest fee in shares worth `fee`, as in FEE_SHARES: a quotient of twelve places, rounded up to six. */
function feeShares(fee: Micros, shares: Micros, usd: Micros): bigint {
  if (fee === 0) return 0n;
  const worth = (BigInt(fee) * BigInt(shares) * MILLION) / (BigInt(usd) > 1n ? BigInt(usd) : 1n);
  return (worth + MILLION - 1n) / MILLION;
}

function addChange(rows: LedgerDraft[], row: KeyedRow): void {
  const place = placeOf(row);
  const kind = String(row.value("kind")) as LedgerKind;
  const [tokens, deltas] = [listOf(row, "token_ids"), listOf(row, "token_deltas")];
  for (const [sub, token] of tokens.entries()) {
    const shares = exactMicros(microsOf(deltas[sub] ?? "0"));
    const usd = sub === 0 ? exactMicros(row.micros("usd_delta")) : 0;
    rows.push({ ...place, kind, sub, token, shares, usd, fee: 0, isMaker: false, isFeeKnown: true, feeShares: 0 });
  }
}

const listOf = (row: KeyedRow, column: string): string[] => {
  const text = String(row.value(column));
  return text === "" ? [] : text.split(",");
};

function addTransfer(rows: LedgerDraft[], row: KeyedRow, kind: "transfer_in" | "transfer_out"): void {
  // Skips transfers to oneself: those shares would count as sold for nothing.
  if (row.value("from_wallet") === row.value("to_wallet")) return;
  const shares = row.micros("shares");
  rows.push({
    ...placeOf(row),
    kind,
    sub: row.number("place"),
    token: String(row.value("token_id")),
    shares: kind === "transfer_in" ? exactMicros(shares) : minus(shares),
    usd: 0,
    fee: 0,
    isMaker: false,
    isFeeKnown: true,
    feeShares: 0,
  });
}

const placeOf = (row: KeyedRow) => ({
  at: row.number("ts"),
  block: row.number("block_number"),
  log: row.number("log_index"),
  tx: String(row.value("tx_hash")),
  condition: "",
});

const minus = (micros: Micros): Micros => exactMicros(addMicros(0, -exactMicros(micros)));

/** LEDGER_ORDER of one wallet's rows. */
function inOrder(a: LedgerDraft, b: LedgerDraft): number {
  return (
    a.at - b.at ||
    a.block - b.block ||
    a.log - b.log ||
    compare(a.tx, b.tx) ||
    compare(a.kind, b.kind) ||
    a.sub - b.sub ||
    a.token.length - b.token.length ||
    compare(a.token, b.token)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
