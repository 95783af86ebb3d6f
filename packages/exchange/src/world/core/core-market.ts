import type { CoreMatch, CoreSink } from "./core-sink.ts";
import type { EventPlan } from "./event-plan.ts";
import type { Latent } from "./latent.ts";
import { isBid, LadderSide, type Order } from "./ladder.ts";
import type { Purses } from "./purses.ts";
import { takerFee } from "./taker-fee.ts";

/** Shares of one wallet in one market, centi-shares; `lockedYes` and `lockedNo` are offered in resting orders. */
export interface Position {
  yes: number;
  no: number;
  lockedYes: number;
  lockedNo: number;
}

/** Shared by all markets: cash, order numbers, and the sink. */
export interface Exchange {
  purses: Purses;
  sink: CoreSink;
  nextOrder: number;
}

/** One market: book, positions, matching rules. It does not know who trades or why. */
export class CoreMarket {
  readonly number: number;
  readonly plan: EventPlan;
  /** Index of the question in the plan. */
  readonly index: number;
  readonly latent: Latent;
  readonly bids: LadderSide = new LadderSide(1);
  readonly asks: LadderSide = new LadderSide(-1);
  readonly positions: Map<number, Position> = new Map();
  tick: number;
  open = false;
  /** Outstanding shares of each outcome, centi-shares; equal except for NegRisk conversions. */
  yesSupply = 0;
  noSupply = 0;
  fees = 0;
  last: number | null = null;
  payout: [number, number] | null = null;
  /** Centre of the makers' quotes, in logits; updated by the agents. */
  quoted: number;
  quotedAt: number;
  /** Persistent error of the makers, in logits. */
  bias: number | null = null;
  makers: number[] = [];
  quotes: Order[][] = [];
  /** Resting orders of all wallets but the makers, oldest first. */
  loose: Order[] = [];
  /** Some of the wallets that took a position here, for agents that want to exit again. */
  recent: number[] = [];
  private readonly exchange: Exchange;
  private readonly changed: number[] = [];
  private readonly scratch: CoreMatch;

  constructor(exchange: Exchange, number: number, plan: EventPlan, index: number, latent: Latent) {
    this.exchange = exchange;
    this.number = number;
    this.plan = plan;
    this.index = index;
    this.latent = latent;
    this.tick = plan.tick;
    this.quoted = Math.log(latent.p(index) / (1 - latent.p(index)));
    this.quotedAt = plan.created;
    const none: Order = { id: 0, owner: 0, outcome: 0, buy: true, yes: 0, left: 0 };
    this.scratch = { at: 0, taker: none, shares: 0, usd: 0, fee: 0, count: 0, makers: [], sizes: [] };
  }

  position(wallet: number): Position {
    let position = this.positions.get(wallet);
    if (position === undefined) {
      position = { yes: 0, no: 0, lockedYes: 0, lockedNo: 0 };
      this.positions.set(wallet, position);
    }
    return position;
  }

  /** Shares that the wallet holds and that are not in resting orders. */
  available(wallet: number, outcome: 0 | 1): number {
    const position = this.positions.get(wallet);
    if (position === undefined) return 0;
    return outcome === 0 ? position.yes - position.lockedYes : position.no - position.lockedNo;
  }

  /**
   * Sends a limit order at a YES price; the unmatched rest stays in the book when `rests`, else it is dropped. The size
   * is reduced to what the wallet can pay or holds. Returns the order, or undefined when it could not be sent.
   */
  place(
    at: number,
    owner: number,
    outcome: 0 | 1,
    buy: boolean,
    yes: number,
    size: number,
    rests: boolean,
  ): Order | undefined {
    const own = outcome === 0 ? yes : 10_000 - yes;
    if (!this.open || yes < this.tick || yes > 10_000 - this.tick) return undefined;
    const most = buy
      ? Math.floor(this.exchange.purses.free(owner) / (own + (this.plan.fee_rate > 0 ? 175 : 0)))
      : this.available(owner, outcome);
    const cut = Math.min(size, most);
    if (cut < 500 && cut < size) return undefined;
    if (cut <= 0) return undefined;
    const order: Order = { id: this.exchange.nextOrder, owner, outcome, buy, yes, left: cut };
    this.exchange.nextOrder += 1;
    if ((isBid(order) ? this.asks : this.bids).meets(yes)) this.meet(at, order);
    if (order.left > 0 && rests) this.rest(order);
    else order.left = rests ? order.left : 0;
    return order;
  }

  cancel(order: Order): void {
    if (order.left === 0) return;
    const side = isBid(order) ? this.bids : this.asks;
    const level = side.find(order.yes);
    if (level === undefined) throw new Error(`Order ${order.id} rests nowhere`);
    const left = order.left;
    order.left = 0;
    side.lower(level, left);
    this.unlock(order, left);
    this.note(order.yes, isBid(order));
  }

  /** Reports the book changes since the last call. */
  flush(at: number, byTrade: boolean): void {
    if (this.changed.length === 0) return;
    this.exchange.sink.book(this, at, this.changed, byTrade);
    this.changed.length = 0;
  }

  /** Mints complete sets for cash. */
  split(at: number, wallet: number, size: number): void {
    if (this.exchange.purses.free(wallet) < size * 10_000) return;
    this.exchange.purses.add(wallet, -size * 10_000);
    const position = this.position(wallet);
    position.yes += size;
    position.no += size;
    this.grow(size);
    this.exchange.sink.split(this, at, wallet, size);
  }

  /** Burns complete sets for cash, as many as are not in resting orders. */
  mergeAll(at: number, wallet: number, least: number): void {
    const size = Math.min(this.available(wallet, 0), this.available(wallet, 1));
    if (size < least || size === 0) return;
    const position = this.position(wallet);
    position.yes -= size;
    position.no -= size;
    this.grow(-size);
    this.exchange.purses.add(wallet, size * 10_000);
    this.exchange.sink.merge(this, at, wallet, size);
  }

  /** Burns the wallet's shares for their payout; the market must be resolved. */
  redeem(at: number, wallet: number): void {
    const position = this.positions.get(wallet);
    if (position === undefined || this.payout === null || position.yes + position.no === 0) return;
    const { yes, no } = position;
    this.yesSupply -= yes;
    this.noSupply -= no;
    const parts = this.payout[0] + this.payout[1];
    const payout = Math.floor(((yes * this.payout[0] + no * this.payout[1]) * 10_000) / parts);
    position.yes = 0;
    position.no = 0;
    this.exchange.purses.add(wallet, payout);
    this.exchange.sink.redeem(this, at, wallet, yes, no, payout);
  }

  /** Sends shares that are not in resting orders to another wallet. */
  transfer(at: number, from: number, to: number, yes: number, no: number): void {
    const [giver, taker] = [this.position(from), this.position(to)];
    giver.yes -= yes;
    giver.no -= no;
    taker.yes += yes;
    taker.no += no;
    this.exchange.sink.transfer(this, at, from, to, yes, no);
  }

  /** Reports a conversion, which itself affects several markets. */
  publishConvert(markets: CoreMarket[], at: number, wallet: number, given: boolean[], size: number): void {
    this.exchange.sink.convert(markets, at, wallet, given, size);
  }

  private grow(sets: number): void {
    this.yesSupply += sets;
    this.noSupply += sets;
  }

  private rest(order: Order): void {
    const side = isBid(order) ? this.bids : this.asks;
    side.add(order);
    this.note(order.yes, isBid(order));
    const own = order.outcome === 0 ? order.yes : 10_000 - order.yes;
    if (order.buy) this.exchange.purses.lock(order.owner, own * order.left);
    else this.hold(order.owner, order.outcome, order.left);
  }

  private hold(wallet: number, outcome: 0 | 1, size: number): void {
    const position = this.position(wallet);
    if (outcome === 0) position.lockedYes += size;
    else position.lockedNo += size;
  }

  private unlock(order: Order, size: number): void {
    const own = order.outcome === 0 ? order.yes : 10_000 - order.yes;
    if (order.buy) this.exchange.purses.lock(order.owner, -own * size);
    else this.hold(order.owner, order.outcome, -size);
  }

  private note(price: number, bid: boolean): void {
    const code = bid ? price : -price;
    if (!this.changed.includes(code)) this.changed.push(code);
  }

  private meet(at: number, taker: Order): void {
    const match = this.scratch;
    const side = isBid(taker) ? this.asks : this.bids;
    match.count = 0;
    match.shares = 0;
    match.usd = 0;
    while (taker.left > 0 && side.meets(taker.yes)) {
      const level = side.best();
      if (level === undefined) break;
      const maker = side.first(level);
      if (maker.owner === taker.owner) {
        this.cancel(maker);
        continue;
      }
      const size = Math.min(maker.left, taker.left);
      maker.left -= size;
      taker.left -= size;
      side.lower(level, size);
      this.note(level.price, !isBid(taker));
      this.unlock(maker, size);
      this.settle(maker, maker.yes, size);
      match.usd += this.settle(taker, maker.yes, size);
      match.shares += size;
      match.makers[match.count] = maker;
      match.sizes[match.count] = size;
      match.count += 1;
      this.last = maker.yes;
      if (!isSameOutcome(taker, maker)) this.grow(taker.buy ? size : -size);
    }
    if (match.count === 0) return;
    match.at = at;
    match.taker = taker;
    match.fee = takerFee(at < this.plan.fee_from ? 0 : this.plan.fee_rate, match.usd, match.shares * 10_000);
    this.fees += match.fee;
    this.exchange.purses.add(taker.owner, -match.fee);
    this.exchange.sink.match(this, match);
    this.narrow(at);
  }

  /** Moves the shares and the cash of one leg at a YES price; returns its USD. */
  private settle(order: Order, yes: number, size: number): number {
    const usd = (order.outcome === 0 ? yes : 10_000 - yes) * size;
    const position = this.position(order.owner);
    const shares = order.buy ? size : -size;
    if (order.outcome === 0) position.yes += shares;
    else position.no += shares;
    this.exchange.purses.add(order.owner, order.buy ? -usd : usd);
    return usd;
  }

  /** The real CLOB switches to the finer tick beyond 0.96 and 0.04. */
  private narrow(at: number): void {
    if (this.tick !== 100 || this.last === null || (this.last <= 9600 && this.last >= 400)) return;
    this.tick = 10;
    this.exchange.sink.tick(this, at, 100);
  }
}

/** Same outcome = complementary; two outcomes = mint (both buy) or merge (both sell). */
export function isSameOutcome(a: Order, b: Order): boolean {
  return a.outcome === b.outcome;
}
