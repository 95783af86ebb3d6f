import { microsAt } from "../../definition/micros.ts";

/** Range of a token's legs: from `from` to before `to`. */
export type Run = { readonly from: number; readonly to: number };

const NONE: Run = { from: 0, to: 0 };
/** Column offsets in a RowBinary row of `legsSql`, whose columns all have a fixed length. */
const [WALLET_AT, TIME_AT, IS_BUY_AT, SHARES_AT, USD_AT, FEE_AT] = [32, 52, 56, 57, 65, 73];
const ROW = 81;

/** Fills of some tokens by token, wallet and time, read in place without copying; amounts in millionths. */
export class Legs {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #runs = new Map<string, Run>();

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const count = bytes.length / ROW;
    for (let from = 0, to = 1; from < count; from = to, to += 1) {
      while (to < count && this.#isAlike(from, to, 0, WALLET_AT)) to += 1;
      this.#runs.set(this.#bytes.toString("latin1", from * ROW, from * ROW + WALLET_AT), { from, to });
    }
  }

  /** Range of a token (its bytes as latin1). */
  runOf(token: string): Run {
    return this.#runs.get(token) ?? NONE;
  }

  isOfOneWallet(one: number, other: number): boolean {
    return this.#isAlike(one, other, WALLET_AT, TIME_AT);
  }

  wallet(leg: number): Buffer {
    return this.#bytes.subarray(leg * ROW + WALLET_AT, leg * ROW + TIME_AT);
  }

  /** Unix seconds. */
  time(leg: number): number {
    return this.#view.getUint32(leg * ROW + TIME_AT, true);
  }

  isBuy(leg: number): boolean {
    return this.#bytes[leg * ROW + IS_BUY_AT] === 1;
  }

  shares(leg: number): number | bigint {
    return microsAt(this.#view, leg * ROW + SHARES_AT);
  }

  usd(leg: number): number | bigint {
    return microsAt(this.#view, leg * ROW + USD_AT);
  }

  fee(leg: number): number | bigint {
    return microsAt(this.#view, leg * ROW + FEE_AT);
  }

  /** Whether two rows have the same bytes between two offsets. */
  #isAlike(one: number, other: number, from: number, to: number): boolean {
    const [left, right] = [one * ROW, other * ROW];
    for (let place = from; place < to; place += 4)
      if (this.#view.getUint32(left + place) !== this.#view.getUint32(right + place)) return false;
    return true;
  }
}
