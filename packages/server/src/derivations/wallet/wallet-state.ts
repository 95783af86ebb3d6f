import { emptyTokenDay, type Ended, type OpenPosition, type TokenDay } from "./day-sums.ts";
import { Holding, type HoldingState } from "./holding.ts";

/** What the days before leave: the newest state of each token that is held or of which a position is open. */
export type Opening = {
  readonly tokens: readonly HoldingState[];
  /** By condition. */
  readonly positions: ReadonlyMap<string, Readonly<OpenPosition>>;
  readonly cashTotal: bigint;
  readonly realizedTotal: bigint;
  readonly feeTotal: bigint;
  readonly isEstimated: boolean;
};

export const NOTHING_BEFORE: Opening = {
  tokens: [],
  positions: new Map(),
  cashTotal: 0n,
  realizedTotal: 0n,
  feeTotal: 0n,
  isEstimated: false,
};

/** Less than a hundredth of a share counts as sold out. */
const DUST = 10_000n;

/** A wallet in the course of its days. */
export class WalletState {
  readonly holdings = new Map<string, Holding>();
  readonly positions: Map<string, OpenPosition>;
  readonly #tokensOf = new Map<string, Holding[]>();
  cashTotal: bigint;
  realizedTotal: bigint;
  feeTotal: bigint;
  isEstimated: boolean;
  /** Of the day under way. */
  today = new Map<string, TokenDay>();
  ended = new Map<string, Ended>();

  constructor(opening: Opening) {
    this.positions = new Map([...opening.positions].map(([key, open]) => [key, { ...open }]));
    this.cashTotal = opening.cashTotal;
    this.realizedTotal = opening.realizedTotal;
    this.feeTotal = opening.feeTotal;
    this.isEstimated = opening.isEstimated;
    for (const state of opening.tokens) this.#hold(new Holding(state));
  }

  /** A token whose market is not known is a market of its own. */
  static keyOf = (condition: string, token: string): string => (condition === "" ? `token ${token}` : condition);

  holdingOf(token: string, condition: string): Holding {
    return (
      this.holdings.get(token) ??
      this.#hold(new Holding({ token, condition, shares: 0n, cost: 0n, lots: [], payout: undefined }))
    );
  }

  tokensOf(condition: string): readonly Holding[] {
    return this.#tokensOf.get(condition) ?? [];
  }

  dayOf(holding: Holding, at: number): TokenDay {
    let day = this.today.get(holding.token);
    if (day === undefined) this.today.set(holding.token, (day = emptyTokenDay(holding, at)));
    day.lastAt = at;
    return day;
  }

  /** A position begins with the first shares of a condition that is not resolved. */
  open(holding: Holding, at: number): void {
    const key = WalletState.keyOf(holding.condition, holding.token);
    if (holding.payout !== undefined || this.positions.has(key)) return;
    this.positions.set(key, { openedAt: at, pnl: 0n, bought: 0n });
  }

  /** Profit of a position that is open, and money that went into it. */
  gain(holding: Holding, pnl: bigint, bought: bigint = 0n): void {
    const key = WalletState.keyOf(holding.condition, holding.token);
    const open = this.positions.get(key);
    if (open === undefined) return;
    open.pnl += pnl;
    open.bought += bought;
  }

  /** Ends the position where nothing to speak of is held any more, or where it is resolved. */
  endIfOver(condition: string, at: number, isResolved: boolean): void {
    const open = this.positions.get(condition);
    if (open === undefined) return;
    if (!isResolved && this.tokensOf(condition).some(({ shares }) => shares >= DUST)) return;
    this.positions.delete(condition);
    const before = this.ended.get(condition);
    this.ended.set(condition, {
      openedAt: Math.min(before?.openedAt ?? open.openedAt, open.openedAt),
      endedAt: at,
      wins: (before?.wins ?? 0) + (open.pnl > 0n ? 1 : 0),
      losses: (before?.losses ?? 0) + (open.pnl < 0n ? 1 : 0),
      evens: (before?.evens ?? 0) + (open.pnl === 0n ? 1 : 0),
      resolved: (before?.resolved ?? 0) + (isResolved ? 1 : 0),
      pnl: (before?.pnl ?? 0n) + open.pnl,
      gained: (before?.gained ?? 0n) + (open.pnl > 0n ? open.pnl : 0n),
      bought: (before?.bought ?? 0n) + open.bought,
    });
  }

  #hold(holding: Holding): Holding {
    this.holdings.set(holding.token, holding);
    const key = WalletState.keyOf(holding.condition, holding.token);
    const others = this.#tokensOf.get(key);
    if (others === undefined) this.#tokensOf.set(key, [holding]);
    else others.push(holding);
    return holding;
  }
}
