import type { AnsweredRow } from "./answer-all.ts";
import { Tally } from "./tally.ts";
import type { StreamCount } from "./stream-count.ts";

/** A recorded trade of whichever source. */
export type RecordedFill = {
  readonly transaction: string;
  readonly wallet: string;
  readonly token: string;
  readonly side: string;
  readonly size: number;
  readonly price: number;
  readonly seconds: number;
  readonly condition: string;
  readonly outcome: string;
  readonly slug: string;
};

type Keys = Pick<StreamCount, "in" | "unique" | "answered" | "lost" | "doubled" | "differences">;

const MICRO = 1e6;
const MOST_SHOWN = 5;

/**
 * Recorded trades against rows of 556: all but the price must be equal. The price a row has is notional over shares,
 * both in millionths, so it may be off by what that rounding is worth.
 */
export async function countFills(
  recorded: AsyncIterable<RecordedFill>,
  answered: AsyncIterable<AnsweredRow>,
  /** False where rows that are alike in everything are different trades. */
  once = true,
): Promise<Keys> {
  const tally = new Tally();
  const prices = new Map<string, number[]>();
  let given = 0;
  for await (const fill of recorded) {
    given += 1;
    const key = keyOf(fill);
    if (tally.add(once ? `${key} ${fill.price}` : key, once)) prices.set(key, [...(prices.get(key) ?? []), fill.price]);
  }
  const plain = new Tally();
  for (const [key, list] of prices) for (const _ of list) plain.add(key);
  for await (const row of answered) {
    const fill = fromRow(row);
    const key = keyOf(fill);
    plain.answer(isNear(fill, takeNearest(prices.get(key), fill.price)) ? key : `${key} at ${fill.price}`);
  }
  return {
    in: given,
    unique: plain.recorded,
    answered: plain.answered,
    lost: plain.lost(),
    doubled: plain.doubled(),
    differences: plain.differences(MOST_SHOWN),
  };
}

function keyOf(fill: RecordedFill): string {
  const { transaction, wallet, token, side, size, seconds, condition, outcome, slug } = fill;
  const shares = Math.round(size * MICRO);
  const words = [transaction, wallet, token, side, shares, seconds, condition, outcome, slug];
  return words.join("|");
}

/** Several fills of one order may differ in price alone: each is paired with the nearest one not yet paired. */
function takeNearest(list: number[] | undefined, price: number): number | undefined {
  if (list === undefined || list.length === 0) return undefined;
  const index = list.reduce(
    (best, each, at) => (Math.abs(each - price) < Math.abs((list[best] ?? Infinity) - price) ? at : best),
    0,
  );
  return list.splice(index, 1)[0];
}

function isNear(fill: RecordedFill, recorded: number | undefined): boolean {
  if (recorded === undefined) return true;
  return Math.abs(fill.price - recorded) <= 1 / MICRO / Math.max(fill.size, 1 / MICRO) + 1e-9;
}

function fromRow(row: AnsweredRow): RecordedFill {
  return {
    transaction: String(row["transaction_hash"]),
    wallet: String(row["proxy_wallet"]),
    token: String(row["token_id"]),
    side: String(row["side"]),
    size: Number(row["size"]),
    price: Number(row["price"]),
    seconds: Date.parse(String(row["timestamp"])) / 1000,
    condition: String(row["condition_id"]),
    outcome: String(row["outcome"]),
    slug: String(row["slug"]),
  };
}
