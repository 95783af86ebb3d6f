import type { Day, FoldReader } from "../../definition/fold.ts";
import { hexOf } from "../../definition/filter.ts";
import { microsAt } from "../../definition/micros.ts";
import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { LEDGER_ORDER, ledgerSql } from "../ledger-sql.ts";
import { LEDGER_KINDS, type LedgerRow } from "../wallet/ledger-row.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { knownOnce, tabRows, TOKEN } from "./known-once.ts";

export type Ledger = {
  /** A wallet's (0x-hex) part of the ledger; created on request, so that only one wallet's rows are in memory. */
  readonly of: (wallet: string) => OwnLedger;
  /**
   * For all rows: tokens (decimal text) with their conditions (0x-hex; empty if the market is unknown), and these
   * conditions.
   */
  readonly tokens: readonly Named[];
  readonly conditions: ReadonlySet<string>;
};

export type OwnLedger = {
  /** In ledger order. */
  readonly rows: readonly LedgerRow[];
  /** In the order of their tokens' first rows. */
  readonly conditions: readonly string[];
};

type Named = Pick<LedgerRow, "token" | "condition">;

const KIND = fromDefinition(`toUInt8(indexOf([${LEDGER_KINDS.map((kind) => `'${kind}'`).join(", ")}], kind))`);
/** Offset at which each column of a row begins: all have a fixed length. */
const AT = { wallet: 0, token: 20, tx: 52, block: 60, shares: 64, usd: 72, fee: 80, at: 88, log: 92, sub: 96 };
const [KIND_AT, MAKER_AT, FEE_KNOWN_AT, ROW_BYTES] = [100, 101, 102, 103];

/** The ledger of these wallets from a day on, up to `to` if given. */
export async function readLedger(
  read: FoldReader,
  keys: readonly string[],
  from: Day,
  to: Day | undefined,
): Promise<Ledger> {
  const bytes = await read.bytes(
    sql`SELECT wallet, token_id, reinterpretAsUInt64(substring(tx_hash, 1, 8)), toUInt32(block_number), reinterpretAsInt64(shares), reinterpretAsInt64(usd), reinterpretAsInt64(fee_usd), toUInt32(toUnixTimestamp(at)), toUInt32(log_index), toUInt32(sub), ${KIND}, toUInt8(is_maker), toUInt8(is_fee_known) FROM (${ledgerSql(keys, from, to)}) ORDER BY ${LEDGER_ORDER}`,
    "RowBinary",
  );
  const { of, tokens } = tokensOf(bytes);
  const facts = await readTokens(read, tokens);
  const named = tokens.map((token) => ({ token, condition: facts.get(token)?.condition ?? "" }));
  const found = new Set(named.map(({ condition }) => condition));
  found.delete("");
  return { of: ownOf(bytes, of, named), tokens: named, conditions: found };
}

/** Each token once, and the index of each row's token. */
function tokensOf(bytes: Buffer): { readonly of: Uint32Array; readonly tokens: readonly string[] } {
  const known = new Map<string, number>();
  const tokens: string[] = [];
  const of = new Uint32Array(bytes.length / ROW_BYTES);
  for (let row = 0; row < of.length; row += 1) {
    const place = row * ROW_BYTES + AT.token;
    const raw = bytes.toString("latin1", place, place + 32);
    let index = known.get(raw);
    if (index === undefined) {
      known.set(raw, (index = tokens.length));
      tokens.push(numberText(bytes, place));
    }
    of[row] = index;
  }
  return { of, tokens };
}

/** 256 bits in little-endian order as decimal text. */
function numberText(bytes: Buffer, place: number): string {
  let number = 0n;
  for (let word = 3; word >= 0; word -= 1) number = (number << 64n) | bytes.readBigUInt64LE(place + word * 8);
  return number.toString();
}

function ownOf(bytes: Buffer, of: Uint32Array, tokens: readonly Named[]): Ledger["of"] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tokenAt = (index: number): Named => tokens[index] as Named;
  /** The first row of each wallet, and the one after its last. */
  const spans = new Map<string, { readonly first: number; end: number }>();
  let own = { first: 0, end: 0 };
  for (let row = 0; row < of.length; row += 1) {
    const place = row * ROW_BYTES;
    const isSame = row > 0 && bytes.compare(bytes, place - ROW_BYTES, place - ROW_BYTES + 20, place, place + 20) === 0;
    if (!isSame) spans.set(`0x${bytes.toString("hex", place, place + 20)}`, (own = { first: row, end: row }));
    own.end = row + 1;
  }
  return (wallet) => {
    const { first, end } = spans.get(wallet) ?? { first: 0, end: 0 };
    const rows: LedgerRow[] = [];
    for (let row = first; row < end; row += 1)
      rows.push(rowAt(bytes, view, row * ROW_BYTES, tokenAt(of[row] as number)));
    return { rows, conditions: Array.from(new Set(of.subarray(first, end)), (index) => tokenAt(index).condition) };
  };
}

function rowAt(bytes: Buffer, view: DataView, place: number, { token, condition }: Named): LedgerRow {
  return {
    kind: LEDGER_KINDS[view.getUint8(place + KIND_AT) - 1] ?? "buy",
    at: view.getUint32(place + AT.at, true),
    block: view.getUint32(place + AT.block, true),
    log: view.getUint32(place + AT.log, true),
    sub: view.getUint32(place + AT.sub, true),
    tx: bytes.toString("latin1", place + AT.tx, place + AT.tx + 8),
    token,
    condition,
    shares: microsAt(view, place + AT.shares),
    usd: microsAt(view, place + AT.usd),
    fee: microsAt(view, place + AT.fee),
    isMaker: view.getUint8(place + MAKER_AT) === 1,
    isFeeKnown: view.getUint8(place + FEE_KNOWN_AT) === 1,
  };
}

/** The outcome that a token belongs to: condition (0x-hex), and the index of its payout. */
type TokenFacts = { readonly condition: string; readonly outcome: number };

/** Facts of tokens (decimal text); without those whose market is unknown. */
export function readTokens(
  read: FoldReader,
  tokens: Iterable<string>,
): Promise<ReadonlyMap<string, TokenFacts | undefined>> {
  const each = new Map<string, string>();
  const factsOf = async (rows: Sql): Promise<ReadonlyMap<string, TokenFacts>> => {
    const found = new Map<string, TokenFacts>();
    for (const [token = "", condition = "", outcome] of tabRows(await read.bytes(rows, "TSV"))) {
      // Both tokens of a condition have the same text: it is kept once.
      if (!each.has(condition)) each.set(condition, condition);
      found.set(token, { condition: each.get(condition) ?? condition, outcome: Number(outcome) });
    }
    return found;
  };
  const find = (chosen: Sql): Promise<ReadonlyMap<string, TokenFacts>> =>
    factsOf(
      sql`SELECT toString(token_id), ${hexOf(sql`condition_id`)}, outcome_index FROM ${polymarketTokens} FINAL WHERE ${chosen}`,
    );
  return knownOnce(read, { name: "tokens", kind: TOKEN, column: "token_id", find }, tokens);
}
