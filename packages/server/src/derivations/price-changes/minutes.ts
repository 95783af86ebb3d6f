import { ExactSums } from "./exact-sums.ts";

/** Traded minutes of tokens, token by token in time order; prices and shares in millionths. */
export type TradedMinutes = {
  readonly minute: Uint32Array;
  readonly close: Float64Array;
  readonly shares: ExactSums;
  readonly trades: ExactSums;
};

/** Quoted minutes in the same form: the middle of the last quotes. */
export type QuotedMinutes = { readonly minute: Uint32Array; readonly middle: Float64Array };

/** Range of a token's minutes: from `from` to before `to`. */
export type Run = { readonly from: number; readonly to: number };

/** A token's minutes; the token is 32 bytes in the engine's form. */
export type TokenMinutes = {
  readonly token: Buffer;
  readonly traded: TradedMinutes;
  readonly quoted: QuotedMinutes;
  readonly ofTraded: Run;
  readonly ofQuoted: Run;
};

const TOKEN = 32;
/** Column offsets in a RowBinary row of `minutesSql`, whose columns all have a fixed length. */
const [MINUTE_AT, PRICE_AT, SHARES_AT, TRADES_AT] = [32, 36, 44, 52];
const [TRADED_ROW, QUOTED_ROW] = [56, 44];
const HALF = 2 ** 32;
const NONE: Run = { from: 0, to: 0 };

/** The minutes of each token that has any, from rows of both kinds in the order of token and minute. */
export function tokenMinutes(tradedRows: Uint8Array, quotedRows: Uint8Array): TokenMinutes[] {
  const traded = readTraded(tradedRows);
  const quoted = readQuoted(quotedRows);
  const tokens = new Map<string, TokenMinutes>();
  for (const { token, run } of runsOf(tradedRows, TRADED_ROW))
    tokens.set(token.toString("latin1"), { token, traded, quoted, ofTraded: run, ofQuoted: NONE });
  for (const { token, run } of runsOf(quotedRows, QUOTED_ROW)) {
    const key = token.toString("latin1");
    const ofTraded = tokens.get(key)?.ofTraded ?? NONE;
    tokens.set(key, { token, traded, quoted, ofTraded, ofQuoted: run });
  }
  return [...tokens.values()];
}

/** For each token with traded minutes: its bytes as latin1, the first of the minutes, and its rows. */
export function* tradedRunsOf(
  rows: Uint8Array,
): Generator<{ readonly key: string; readonly first: number; readonly rows: Uint8Array }> {
  const view = viewOf(rows);
  for (const { token, run } of runsOf(rows, TRADED_ROW)) {
    const [from, to] = [run.from * TRADED_ROW, run.to * TRADED_ROW];
    const first = view.getUint32(from + MINUTE_AT, true);
    yield { key: token.toString("latin1"), first, rows: rows.subarray(from, to) };
  }
}

function* runsOf(bytes: Uint8Array, row: number): Generator<{ readonly token: Buffer; readonly run: Run }> {
  const rows = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = rows.length / row;
  for (let from = 0, to = 1; from < count; from = to, to += 1) {
    const token = rows.subarray(from * row, from * row + TOKEN);
    while (to < count && token.compare(rows, to * row, to * row + TOKEN) === 0) to += 1;
    yield { token, run: { from, to } };
  }
}

function readTraded(bytes: Uint8Array): TradedMinutes {
  const count = bytes.length / TRADED_ROW;
  const view = viewOf(bytes);
  const [minute, close] = [new Uint32Array(count), new Float64Array(count)];
  const [shares, trades] = [new ExactSums(), new ExactSums()];
  for (let row = 0, at = 0; row < count; row += 1, at += TRADED_ROW) {
    minute[row] = view.getUint32(at + MINUTE_AT, true);
    close[row] = priceAt(view, at);
    shares.addHalves(view.getInt32(at + SHARES_AT + 4, true), view.getUint32(at + SHARES_AT, true));
    trades.add(view.getUint32(at + TRADES_AT, true));
  }
  return { minute, close, shares, trades };
}

function readQuoted(bytes: Uint8Array): QuotedMinutes {
  const count = bytes.length / QUOTED_ROW;
  const view = viewOf(bytes);
  const [minute, middle] = [new Uint32Array(count), new Float64Array(count)];
  for (let row = 0, at = 0; row < count; row += 1, at += QUOTED_ROW) {
    minute[row] = view.getUint32(at + MINUTE_AT, true);
    middle[row] = priceAt(view, at);
  }
  return { minute, middle };
}

const priceAt = (view: DataView, row: number): number =>
  view.getInt32(row + PRICE_AT + 4, true) * HALF + view.getUint32(row + PRICE_AT, true);

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);
