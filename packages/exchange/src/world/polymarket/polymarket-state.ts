import type { Bus } from "../bus.ts";
import type { Holding, MarketResolvedHappening, MatchHappening, PolymarketEvent, Tag, Wallet } from "../contract.ts";
import type { OperationHappening, TransferHappening } from "../operation-contract.ts";
import type { MarketView } from "./market-view.ts";
import type { PolymarketWorld } from "../world.ts";

/** floor(a·b/c) without precision loss; c > 0. */
function share(a: number, b: number, c: number): number {
  const product = a * b;
  if (Math.abs(product) <= Number.MAX_SAFE_INTEGER) return Math.floor(product / c);
  const exact = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = exact / divisor;
  return Number(exact < 0n && exact % divisor !== 0n ? quotient - 1n : quotient);
}

/** Average-cost account of one wallet in one token, micro units. */
interface Account {
  shares: number;
  cost: number;
  realized: number;
  fees: number;
}

/** Average-cost accounts of every wallet, by token number (market number × 2 + outcome). */
class Ledger {
  private readonly wallets: Map<number, Map<number, Account>> = new Map();

  of(wallet: number): ReadonlyMap<number, Account> {
    return this.wallets.get(wallet) ?? new Map();
  }

  buy(wallet: number, token: number, shares: number, usd: number, fee: number): void {
    const account = this.account(wallet, token);
    account.shares += shares;
    account.cost += usd;
    account.fees += fee;
  }

  sell(wallet: number, token: number, shares: number, usd: number, fee: number): void {
    const account = this.account(wallet, token);
    account.realized += usd - this.release(account, shares);
    account.fees += fee;
  }

  /** Removes shares at cost, without profit. Returns that cost. */
  giveUp(wallet: number, token: number, shares: number): number {
    return this.release(this.account(wallet, token), shares);
  }

  /** Adds a profit that comes from no sale of the token. */
  gain(wallet: number, token: number, usd: number): void {
    this.account(wallet, token).realized += usd;
  }

  private release(account: Account, shares: number): number {
    const cost = account.shares === 0 ? 0 : share(account.cost, shares, account.shares);
    account.shares -= shares;
    account.cost -= cost;
    return cost;
  }

  private account(wallet: number, token: number): Account {
    let accounts = this.wallets.get(wallet);
    if (accounts === undefined) this.wallets.set(wallet, (accounts = new Map()));
    let account = accounts.get(token);
    if (account === undefined) accounts.set(token, (account = { shares: 0, cost: 0, realized: 0, fees: 0 }));
    return account;
  }
}

/** All Polymarket data served by its endpoints, indexed for them. Written by the happening sink. */
export class PolymarketState implements PolymarketWorld {
  readonly events: PolymarketEvent[] = [];
  readonly markets: MarketView[] = [];
  readonly wallets: Wallet[];
  readonly tags: Tag[] = [];
  readonly matches: MatchHappening[] = [];
  readonly operations: OperationHappening[] = [];
  readonly resolutions: MarketResolvedHappening[] = [];
  readonly transfers: TransferHappening[] = [];
  readonly ledger: Ledger = new Ledger();
  readonly bus: Bus;
  private readonly byKey: Map<string, MarketView> = new Map();
  private readonly walletNumber: Map<string, number> = new Map();
  private readonly tagIds: Set<string> = new Set();

  constructor(wallets: Wallet[], bus: Bus) {
    this.wallets = wallets;
    this.bus = bus;
    for (const [i, wallet] of wallets.entries()) this.walletNumber.set(wallet.address, i);
  }

  market(key: string): MarketView | undefined {
    return this.byKey.get(key) ?? this.byKey.get(key.toLowerCase());
  }

  wallet(address: string): Wallet | undefined {
    const number = this.walletNumber.get(address.toLowerCase());
    return number === undefined ? undefined : this.wallets[number];
  }

  holdingsOf(address: string): Holding[] {
    const number = this.walletNumber.get(address.toLowerCase());
    if (number === undefined) return [];
    return [...this.ledger.of(number)].map(([token, account]) => this.toHolding(number, token, account));
  }

  addEvent(event: PolymarketEvent): void {
    this.events.push(event);
    for (const tag of event.tags) {
      if (this.tagIds.has(tag.id)) continue;
      this.tagIds.add(tag.id);
      this.tags.push(tag);
    }
  }

  addMarket(market: MarketView): void {
    this.markets.push(market);
    market.event.markets.push(market);
    for (const key of [market.id, market.slug, market.condition_id, ...market.token_ids]) this.byKey.set(key, market);
  }

  private toHolding(wallet: number, token: number, account: Account): Holding {
    const market = this.markets[token >> 1];
    const owner = this.wallets[wallet];
    if (market === undefined || owner === undefined) throw new Error(`No market or wallet for token ${token}`);
    return {
      wallet: owner,
      market,
      outcome: (token & 1) as 0 | 1,
      shares_micro: account.shares,
      cost_micro: account.cost,
      realized_pnl_micro: account.realized,
      fees_micro: account.fees,
    };
  }
}
