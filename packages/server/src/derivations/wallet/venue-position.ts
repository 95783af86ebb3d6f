import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import { quotient } from "../../definition/served-buckets.ts";
import type { Amount } from "./folded-wallet.ts";

const MILLION = 1_000_000n;
/** Decimal places of a product of shares and a price. */
const PRODUCT_PLACES = 12;

type Parts = { readonly parts: bigint; readonly places: number };

/**
 * A token of a wallet as in Polymarket's own position figures: before fees, on the shares before a fee in shares, by an
 * average entry price a that only buying moves. Buying s at p: a ← (a·q + p·s)/(q + s), q ← q + s; selling s: d =
 * min(s, q), r ← r + d·(p − a), q ← q − d. Profit is r + balance·(payout or mark − a). A cost is rounded down to
 * integer millionths of a dollar when it is taken; a itself is kept as a quotient.
 */
export class VenuePosition {
  /** q: the rule's share count, which transfers do not change. */
  #shares: Amount = 0;
  /** a: money over shares after the last buy. */
  #paid: Amount = 0;
  #paidFor: Amount = 0;
  #realized: Amount = 0;

  /** a, in USD per share; it remains after the position ends, and is null if nothing was ever bought. */
  get averageEntry(): Parts | null {
    return quotient(this.#paid, this.#paidFor, MILLION);
  }

  /** Cost of shares at the average entry price. */
  costOf(shares: Amount): Amount {
    return this.#paidFor > 0 ? mulDivFloor(this.#paid, shares, this.#paidFor) : 0;
  }

  buy(shares: Amount, usd: Amount): void {
    if (shares <= 0) return;
    this.#paid = addMicros(this.costOf(this.#shares), usd);
    this.#paidFor = addMicros(this.#shares, shares);
    this.#shares = this.#paidFor;
  }

  /** Proceeds of shares beyond q are no profit. */
  sell(shares: Amount, usd: Amount): void {
    const ours = this.#take(shares);
    if (ours <= 0) return;
    this.#realize(ours < shares ? mulDivFloor(usd, ours, shares) : usd, ours);
  }

  /** Redeemed shares were already in the balance at the payout, so redeeming changes no profit. */
  redeem(shares: Amount, usd: Amount): void {
    this.#take(shares);
    this.#realize(usd, shares);
  }

  /** Removes shares at the average entry price in a conversion; returns their cost. */
  convert(shares: Amount): Amount {
    this.#take(shares);
    return this.costOf(shares);
  }

  /**
   * Profit with `balance` shares in the wallet, at a mark of 1e-6 USD per share; undefined if it depends on a missing
   * mark.
   */
  pnl(balance: Amount, mark: Amount | undefined): Parts | undefined {
    if (mark === undefined && balance > 0) return undefined;
    const worth = BigInt(balance) * BigInt(mark ?? 0);
    const booked = BigInt(lessMicros(this.#realized, this.costOf(balance)));
    return { parts: booked * MILLION + worth, places: PRODUCT_PLACES };
  }

  #take(shares: Amount): Amount {
    const taken = shares < this.#shares ? shares : this.#shares;
    this.#shares = lessMicros(this.#shares, taken);
    return taken;
  }

  #realize(usd: Amount, shares: Amount): void {
    this.#realized = addMicros(this.#realized, lessMicros(usd, this.costOf(shares)));
  }
}
