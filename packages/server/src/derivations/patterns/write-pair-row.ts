import type { RowWriter } from "../../definition/row-writer.ts";
import type { DayFills } from "./day-fills.ts";

/** Numbers of the enum values of `kind` in the table. */
const KINDS = { match: 1, echo: 2 } as const;

type PairMarket = {
  readonly day: number;
  readonly kind: keyof typeof KINDS;
  readonly a: number;
  readonly b: number;
  readonly market: number;
};
/** `usd` in millionths. */
type PairFigures = {
  readonly n: number;
  readonly up: number;
  readonly usd: number | bigint;
  readonly expected: number;
};

const key = new Uint32Array(3);

/** Key of two wallets, the smaller one first, and a third number; valid until the next call. */
export function pairKey(fills: DayFills, one: number, other: number, third: number): Uint32Array {
  const isInOrder = Buffer.compare(fills.walletBytes(one), fills.walletBytes(other)) <= 0;
  key[0] = isInOrder ? one : other;
  key[1] = isInOrder ? other : one;
  key[2] = third;
  return key;
}

/** A row of `wallet_pair_days`, column by column in the table's order. */
export function writePairRow(row: RowWriter, fills: DayFills, pair: PairMarket, figures: PairFigures): void {
  row.begin();
  row.day(pair.day);
  row.small(KINDS[pair.kind]);
  row.copy(fills.walletBytes(pair.a));
  row.copy(fills.walletBytes(pair.b));
  row.copy(fills.conditionBytes(pair.market));
  row.count(figures.n);
  row.count(figures.up);
  row.micro(figures.usd);
  row.real(figures.expected);
  row.flag(false);
}
