import { ByteReader, ByteWriter } from "../../definition/bytes.ts";
import type { IdNumbers } from "../../definition/fold.ts";
import { wholeMicrosOf } from "../../definition/micros.ts";
import type { OpenPosition } from "./day-sums.ts";
import type { Amount } from "./folded-wallet.ts";
import type { HoldingState, Lot } from "./holding.ts";
import { WalletState, type Opening } from "./wallet-state.ts";

/** Version of this byte format and of the rules that produce its state. */
export const CHECKPOINT_FORM = 3;
const CONDITION_BYTES = 32;
const IS_ESTIMATED = 1;
/** Some amount is no integer below 2^53: all are stored as text. */
const IS_WIDE = 2;
/** Token flag: its condition is resolved. */
const HAS_PAYOUT = 1;
/** The holding is one lot, as all resolved and unredeemed holdings are. */
const IS_ONE_LOT = 2;

/**
 * Returns a function that packs the state of wallets at the end of a day into bytes. Ids are stored as numbers of the
 * store in which they are kept: each is looked up there once.
 */
export function openingPacker(ids: IdNumbers): (opening: Opening) => Buffer {
  const into = new ByteWriter();
  const numbers = new Map<string, number>();
  /** Number of a token (decimal text) or a condition (0x-hex). */
  const numberOf = (id: string): number => {
    let number = numbers.get(id);
    if (number === undefined)
      numbers.set(id, (number = ids.numberOf(id.startsWith("0x") ? BigInt(id).toString() : id)));
    return number;
  };
  return (opening) => {
    into.at = 0;
    if (!pack(opening, into, numberOf, false)) {
      into.at = 0;
      pack(opening, into, numberOf, true);
    }
    return into.written();
  };
}

/** Returns whether it was packed: without `isWide` it is not if some amount is not a safe integer. */
function pack(opening: Opening, into: ByteWriter, numberOf: (id: string) => number, isWide: boolean): boolean {
  let isPacked = true;
  const amount = (value: Amount): void => {
    if (isWide) into.text(String(value));
    else if (typeof value === "number") {
      into.reserveVarints(2);
      into.signed(value);
    } else isPacked = false;
  };
  const count = (value: number): void => {
    into.reserveVarints(1);
    into.varint(value);
  };
  count((opening.isEstimated ? IS_ESTIMATED : 0) + (isWide ? IS_WIDE : 0));
  for (const total of [opening.cashTotal, opening.realizedTotal, opening.feeTotal]) amount(total);
  count(opening.tokens.length);
  for (const { token, condition, shares, cost, lots, payout } of opening.tokens) {
    count(numberOf(token));
    count(condition === "" ? 0 : 1 + numberOf(condition));
    const [first] = lots;
    const isOneLot = lots.length === 1 && first?.shares === shares && first.cost === cost;
    count((payout === undefined ? 0 : HAS_PAYOUT) + (isOneLot ? IS_ONE_LOT : 0));
    amount(shares);
    amount(cost);
    if (payout !== undefined) amount(payout);
    if (isOneLot) continue;
    count(lots.length);
    for (const lot of lots) {
      amount(lot.shares);
      amount(lot.cost);
    }
  }
  count(opening.positions.size);
  for (const [key, { pnl }] of opening.positions) {
    const token = WalletState.tokenOfKey(key);
    count(token === undefined ? 1 : 0);
    count(numberOf(token ?? key));
    amount(pnl);
  }
  return isPacked;
}

/** The inverse of packing. */
export function unpackOpening(bytes: Buffer, ids: IdNumbers): Opening {
  const from = new ByteReader(bytes, 0);
  const flags = from.varint();
  const amount = flags & IS_WIDE ? () => wholeMicrosOf(from.text()) : () => from.signed();
  const totals = { cashTotal: amount(), realizedTotal: amount(), feeTotal: amount() };
  const tokens = Array.from({ length: from.varint() }, () => readToken(from, amount, ids));
  const positions = new Map<string, OpenPosition>();
  for (let left = from.varint(); left > 0; left -= 1) {
    positions.set(readKey(from, ids), { pnl: amount() });
  }
  return { tokens, positions, ...totals, isEstimated: (flags & IS_ESTIMATED) !== 0 };
}

function readToken(from: ByteReader, amount: () => Amount, ids: IdNumbers): HoldingState {
  const token = ids.idOf(from.varint());
  const named = from.varint();
  const flags = from.varint();
  const [shares, cost] = [amount(), amount()];
  const payout = flags & HAS_PAYOUT ? amount() : undefined;
  const lots =
    flags & IS_ONE_LOT
      ? [{ shares, cost }]
      : Array.from({ length: from.varint() }, (): Lot => ({ shares: amount(), cost: amount() }));
  return { token, condition: named === 0 ? "" : conditionText(ids.idOf(named - 1)), shares, cost, lots, payout };
}

function readKey(from: ByteReader, ids: IdNumbers): string {
  const isCondition = from.varint() === 1;
  const id = ids.idOf(from.varint());
  return isCondition ? conditionText(id) : WalletState.keyOf("", id);
}

const conditionText = (number: string): string =>
  `0x${BigInt(number)
    .toString(16)
    .padStart(CONDITION_BYTES * 2, "0")}`;
