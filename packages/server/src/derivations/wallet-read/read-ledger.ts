import type { Day, FoldReader } from "../../definition/fold.ts";
import { microsAt } from "../../definition/read-micros.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { LEDGER_ORDER, ledgerSql } from "../ledger-sql.ts";
import { LEDGER_KINDS } from "../wallet/ledger-kinds.ts";
import type { LedgerRow } from "../wallet/ledger-row.ts";
import { isWalletOf } from "./wallets-of.ts";
import { conditionOf } from "../condition-of.ts";
import { knownOnce } from "./known-once.ts";
import { tabRows } from "./tab-rows.ts";

export type Ledger = {
  /** In order; by wallet (0x-hex). */
  readonly rows: ReadonlyMap<string, readonly LedgerRow[]>;
  /** Of all rows: tokens (decimal text), and conditions (0x-hex) of those whose market is known. */
  readonly tokens: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
};

const KIND = fromDefinition(`toUInt8(indexOf([${LEDGER_KINDS.map((kind) => `'${kind}'`).join(", ")}], kind))`);
/** Where each column of a row begins: all have a fixed length. */
const AT = { wallet: 0, token: 20, tx: 52, block: 60, shares: 68, usd: 76, fee: 84, at: 92, log: 96, sub: 100 };
const [KIND_AT, MAKER_AT, FEE_KNOWN_AT, ROW_BYTES] = [104, 105, 106, 107];

/** The ledger of these wallets from a day on, up to `to` where that is given. */
export async function readLedger(
  read: FoldReader,
  keys: readonly string[],
  from: Day,
  to: Day | undefined,
): Promise<Ledger> {
  const since = bind("String", from);
  const until = to === undefined ? undefined : bind("String", to);
  const ts = (column: Sql): Sql =>
    until === undefined
      ? sql`${column} >= toDateTime(toDate(${since}), 'UTC')`
      : sql`${column} >= toDateTime(toDate(${since}), 'UTC') AND ${column} < toDateTime(toDate(${until}) + 1, 'UTC')`;
  const bytes = await read.bytes(
    sql`SELECT wallet, token_id, reinterpretAsUInt64(substring(tx_hash, 1, 8)), toUInt64(block_number), reinterpretAsInt64(shares), reinterpretAsInt64(usd), reinterpretAsInt64(fee_usd), toUInt32(toUnixTimestamp(at)), toUInt32(log_index), toUInt32(sub), ${KIND}, toUInt8(is_maker), toUInt8(is_fee_known) FROM (${ledgerSql({ wallet: isWalletOf(keys), ts })}) ORDER BY ${LEDGER_ORDER}`,
    "RowBinary",
  );
  const { texts, tokens } = tokensOf(bytes);
  const conditions = await readConditions(read, tokens);
  const found = new Set<string>();
  for (const token of tokens) found.add(conditions.get(token) ?? "");
  found.delete("");
  return { rows: rowsOf(bytes, texts, conditions), tokens, conditions: found };
}

/** The token of each row, and each token once. */
function tokensOf(bytes: Buffer): { readonly texts: readonly string[]; readonly tokens: ReadonlySet<string> } {
  const known = new Map<string, string>();
  const texts: string[] = [];
  for (let place = AT.token; place < bytes.length; place += ROW_BYTES) {
    const raw = bytes.toString("latin1", place, place + 32);
    let text = known.get(raw);
    if (text === undefined) known.set(raw, (text = numberText(bytes, place)));
    texts.push(text);
  }
  return { texts, tokens: new Set(known.values()) };
}

/** 256 bits in little-endian order as decimal text. */
function numberText(bytes: Buffer, place: number): string {
  let number = 0n;
  for (let word = 3; word >= 0; word -= 1) number = (number << 64n) | bytes.readBigUInt64LE(place + word * 8);
  return number.toString();
}

function rowsOf(
  bytes: Buffer,
  texts: readonly string[],
  conditions: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, LedgerRow[]> {
  const rows = new Map<string, LedgerRow[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let own: LedgerRow[] = [];
  for (const [index, token] of texts.entries()) {
    const place = index * ROW_BYTES;
    const isSame =
      index > 0 && bytes.compare(bytes, place - ROW_BYTES, place - ROW_BYTES + 20, place, place + 20) === 0;
    if (!isSame) rows.set(`0x${bytes.toString("hex", place, place + 20)}`, (own = []));
    own.push(rowAt(bytes, view, place, token, conditions.get(token) ?? ""));
  }
  return rows;
}

function rowAt(bytes: Buffer, view: DataView, place: number, token: string, condition: string): LedgerRow {
  return {
    kind: LEDGER_KINDS[view.getUint8(place + KIND_AT) - 1] ?? "buy",
    at: view.getUint32(place + AT.at, true),
    block: Number(view.getBigUint64(place + AT.block, true)),
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

/** The condition (0x-hex) of tokens (decimal text); without those whose market is not known. */
function readConditions(read: FoldReader, tokens: Iterable<string>): Promise<ReadonlyMap<string, string | undefined>> {
  const each = new Map<string, string>();
  return knownOnce(read, "conditions", tokens, async (ids) => {
    const bytes = await read.bytes(
      sql`SELECT toString(token), ${conditionOf(sql`token`)} AS condition FROM (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))}))) AS token) WHERE condition != ''`,
      "TSV",
    );
    const found = new Map<string, string>();
    for (const [token = "", condition = ""] of tabRows(bytes)) {
      // Of one condition's tokens both have the same text: it is kept once.
      if (!each.has(condition)) each.set(condition, condition);
      found.set(token, each.get(condition) ?? condition);
    }
    return found;
  });
}
