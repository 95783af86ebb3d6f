import { addMicros } from "../../definition/micros.ts";
import { type Ended, type Market, type OpenPosition, TokenDay } from "./day-sums.ts";
import type { Amount } from "./folded-wallet.ts";
import { Holding, type HoldingState } from "./holding.ts";

/** State left by earlier days: the newest state of each token that is held or has an open position. */
export type Opening = {
  readonly tokens: readonly HoldingState[];
  /** By condition. */
  readonly positions: ReadonlyMap<string, Readonly<OpenPosition>>;
  readonly cashTotal: Amount;
  readonly realizedTotal: Amount;
  readonly feeTotal: Amount;
  readonly isEstimated: boolean;
};

export const NOTHING_BEFORE: Opening = {
  tokens: [],
  positions: new Map(),
  cashTotal: 0,
  realizedTotal: 0,
  feeTotal: 0,
  isEstimated: false,
};

const OWN_MARKET = "token ";
/** Less than a hundredth of a share counts as sold out. */
const DUST = 10_000;

/** A token of a wallet with its latest day. */
type Own = { readonly holding: Holding; readonly market: Market; day: TokenDay | undefined };

/** A wallet's state as its days proceed. */
export class WalletState {
  readonly #tokens = new Map<string, Own>();
  readonly #markets = new Map<string, Market>();
  /** Last token looked up: processing a row looks up its token several times. */
  #last: Own | undefined;
  cashTotal: Amount;
  realizedTotal: Amount;
  feeTotal: Amount;
  isEstimated: boolean;
  /** The current day's tokens, in the order of their first events. */
  readonly today: TokenDay[] = [];
  readonly #touched: Own[] = [];
  /** Objects of days already reported, for reuse. */
  readonly #spare: TokenDay[] = [];
  readonly ended = new Map<string, Ended>();

  constructor(opening: Opening) {
    this.cashTotal = opening.cashTotal;
    this.realizedTotal = opening.realizedTotal;
    this.feeTotal = opening.feeTotal;
    this.isEstimated = opening.isEstimated;
    for (const [key, open] of opening.positions) this.#marketOf(key).open = { ...open };
    for (const state of opening.tokens) this.#hold(new Holding(state));
  }

  /** A token whose market is unknown is a market of its own. */
  static keyOf = (condition: string, token: string): string => (condition === "" ? `${OWN_MARKET}${token}` : condition);

  /** The token of such a key; undefined for a condition. */
  static tokenOfKey = (key: string): string | undefined =>
    key.startsWith(OWN_MARKET) ? key.slice(OWN_MARKET.length) : undefined;

  /** State left by the days up to the one that ends. */
  opening(): Opening {
    const { cashTotal, realizedTotal, feeTotal, isEstimated } = this;
    const tokens: HoldingState[] = [];
    for (const { holding } of this.#tokens.values()) if (holding.shares !== 0) tokens.push(holding.state());
    const positions = new Map<string, OpenPosition>();
    for (const [key, { open }] of this.#markets) if (open !== undefined) positions.set(key, open);
    return { tokens, positions, cashTotal, realizedTotal, feeTotal, isEstimated };
  }

  *holdings(): Generator<Holding, void, void> {
    for (const { holding } of this.#tokens.values()) yield holding;
  }

  holdingOf(token: string, condition: string): Holding {
    return this.#own(token, condition).holding;
  }

  tokensOf(condition: string): readonly Holding[] {
    return this.#markets.get(condition)?.holdings ?? [];
  }

  /** The current day of a token that has an event. */
  dayOf(token: string, condition: string, at: number): TokenDay {
    const own = this.#own(token, condition);
    if (own.day === undefined) {
      own.day = this.#beginDay(own, at);
      this.today.push(own.day);
      this.#touched.push(own);
    }
    own.day.lastAt = at;
    return own.day;
  }

  /** Marks the wallet's figures as estimates from now on, because of that day's activity in that token. */
  estimate(day: TokenDay): void {
    this.isEstimated = true;
    day.isEstimated = true;
  }

  endDay(): void {
    for (const own of this.#touched) own.day = undefined;
    for (const day of this.today) this.#spare.push(day);
    this.#touched.length = 0;
    this.today.length = 0;
    if (this.ended.size > 0) this.ended.clear();
  }

  /** Ends the position if it is resolved or its remaining shares are negligible. */
  endIfOver(condition: string, isResolved: boolean): void {
    const market = this.#markets.get(condition);
    const open = market?.open;
    if (market === undefined || open === undefined) return;
    if (!isResolved && market.holdings.some(({ shares }) => shares >= DUST)) return;
    market.open = undefined;
    let ended = this.ended.get(condition);
    if (ended === undefined) this.ended.set(condition, (ended = { wins: 0, losses: 0, pnl: 0, gained: 0 }));
    ended.pnl = addMicros(ended.pnl, open.pnl);
    if (open.pnl > 0) {
      ended.wins += 1;
      ended.gained = addMicros(ended.gained, open.pnl);
    } else if (open.pnl < 0) ended.losses += 1;
  }

  #beginDay({ holding, market }: Own, at: number): TokenDay {
    const day = this.#spare.pop();
    if (day === undefined) return new TokenDay(holding, market, at);
    day.begin(holding, market, at);
    return day;
  }

  #own(token: string, condition: string): Own {
    if (this.#last?.holding.token === token) return this.#last;
    const own =
      this.#tokens.get(token) ??
      this.#hold(new Holding({ token, condition, shares: 0, cost: 0, lots: [], payout: undefined }));
    this.#last = own;
    return own;
  }

  #hold(holding: Holding): Own {
    const market = this.#marketOf(WalletState.keyOf(holding.condition, holding.token));
    market.holdings.push(holding);
    const own = { holding, market, day: undefined };
    this.#tokens.set(holding.token, own);
    return own;
  }

  #marketOf(key: string): Market {
    let market = this.#markets.get(key);
    if (market === undefined) this.#markets.set(key, (market = { holdings: [], open: undefined }));
    return market;
  }
}
