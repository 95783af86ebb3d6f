import type { Bus } from "../bus.ts";
import type {
  Holding,
  MarketResolvedHappening,
  MatchHappening,
  PolymarketEvent,
  Tag,
  Wallet,
  WalletHappening,
} from "../contract.ts";
import type { OperationHappening, TransferHappening } from "../operation-contract.ts";
import { type Account, Ledger } from "./ledger.ts";
import type { MarketView } from "./market-view.ts";
import type { PolymarketWorld } from "../world.ts";

/** Everything Polymarket has to show, indexed for its doors. The happening sink writes it. */
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
  private readonly walletLists: WalletHappening[][];

  constructor(wallets: Wallet[], bus: Bus) {
    this.wallets = wallets;
    this.bus = bus;
    this.walletLists = wallets.map(() => []);
    for (const [i, wallet] of wallets.entries()) this.walletNumber.set(wallet.address, i);
  }

  market(key: string): MarketView | undefined {
    return this.byKey.get(key) ?? this.byKey.get(key.toLowerCase());
  }

  wallet(address: string): Wallet | undefined {
    const number = this.walletNumber.get(address.toLowerCase());
    return number === undefined ? undefined : this.wallets[number];
  }

  activity(address: string): readonly WalletHappening[] {
    const number = this.walletNumber.get(address.toLowerCase());
    return number === undefined ? [] : (this.walletLists[number] ?? []);
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

  /** Files a happening under a wallet, once. */
  file(wallet: number, happening: WalletHappening): void {
    const list = this.walletLists[wallet];
    if (list !== undefined && list[list.length - 1] !== happening) list.push(happening);
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
