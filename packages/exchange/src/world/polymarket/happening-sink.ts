import type { Chain } from "../chain/chain.ts";
import { NO_PLACE, settle } from "../chain/chain-drafts.ts";
import type { OperationHappening } from "../operation-contract.ts";
import { spoilEventNames } from "../hostile/hostile-texts.ts";
import type { CoreMarket } from "../core/core-market.ts";
import type { CoreMatch, CoreSink } from "../core/core-sink.ts";
import { bookHappening, toMatch } from "./market-happenings.ts";
import { marketNames, negRiskMarketId } from "./market-names.ts";
import { MarketFigures, type MarketView } from "./market-view.ts";
import { type EventNames, nameEvent, toEvent } from "./name-event.ts";
import type { PolymarketState } from "./polymarket-state.ts";
import type { Rng } from "../core/rng.ts";
import type { JumpTruth, TruthCounts } from "../world.ts";

export interface SinkParts {
  seed: number;
  state: PolymarketState;
  chain: Chain;
  rng: Rng;
  counts: TruthCounts;
  jumps: JumpTruth[];
  v2From: number;
  reached: () => number;
  /** Share of events whose texts are hostile. */
  hostile: number;
  /** Called on jumps, so that posts can react to them. */
  onJump: (market: MarketView, at: number, before: number, after: number) => void;
}

/** Converts the core's actions into happenings, and stores them. */
export class HappeningSink implements CoreSink {
  private readonly parts: SinkParts;
  private names: EventNames | null = null;

  constructor(parts: SinkParts) {
    this.parts = parts;
  }

  match(core: CoreMarket, match: CoreMatch): void {
    const { state, counts } = this.parts;
    const market = this.view(core);
    const happening = toMatch(this.parts, market, match);
    counts.matches += 1;
    counts.fills += 1 + match.count;
    state.matches.push(happening);
    market.add(happening);
    for (let i = 0; i <= match.count; i += 1) {
      const order = i < match.count ? match.makers[i] : match.taker;
      const leg = i < match.count ? happening.makers[i] : happening.taker;
      if (order === undefined || leg === undefined) continue;
      const token = core.number * 2 + order.outcome;
      const way = order.buy ? "buy" : "sell";
      state.ledger[way](order.owner, token, leg.shares_micro, leg.usd_micro, leg.fee_micro);
    }
    state.bus.emit(happening);
  }

  book(core: CoreMarket, at: number, levels: readonly number[], byTrade: boolean): void {
    const { state, counts } = this.parts;
    const market = this.view(core);
    market.bookVersion += 1;
    market.bookMs = at;
    counts.book_changes += 2;
    for (const outcome of [0, 1] as const) {
      const seq = state.bus.next();
      if (state.bus.hasListeners) state.bus.emit(bookHappening(market, outcome, at, levels, byTrade, seq));
    }
  }

  tick(core: CoreMarket, at: number, before: number): void {
    const { bus } = this.parts.state;
    const market = this.view(core);
    bus.emit({ kind: "tick_size", seq: bus.next(), ms: at, market, old_tick_e4: before, new_tick_e4: core.tick });
  }

  created(core: CoreMarket, at: number): void {
    const { state, chain, seed, counts, reached } = this.parts;
    const negRisk = core.plan.kind === "neg_risk";
    const marketId = negRisk ? negRiskMarketId(seed, core.plan.number) : null;
    if (core.index === 0) {
      this.names = this.name(core);
      state.addEvent(toEvent(core.plan, this.names, at, marketId));
      counts.polymarket_events += 1;
    }
    const event = state.events[state.events.length - 1];
    if (event === undefined || this.names === null) throw new Error("A market without an event");
    const names = marketNames(seed, core, this.names, marketId);
    const market = Object.assign(new MarketFigures(core, event, at, seed, reached), names);
    state.addMarket(market);
    counts.polymarket_markets += 1;
    const seq = state.bus.next();
    state.bus.emit(settle(chain, { kind: "market_created" as const, seq, ms: at, market, ...NO_PLACE }));
  }

  private name({ plan }: CoreMarket): EventNames {
    const { rng, hostile } = this.parts;
    const names = nameEvent(plan, rng.fork(`names ${plan.number}`));
    const spoiler = rng.fork(`hostile names ${plan.number}`);
    return spoiler.chance(hostile) ? spoilEventNames(names, spoiler) : names;
  }

  closed(core: CoreMarket, at: number): void {
    const { bus } = this.parts.state;
    const market = this.view(core);
    market.closed_ms = at;
    market.uma_status = core.plan.asset === null ? "proposed" : "";
    bus.emit({ kind: "market_closed", seq: bus.next(), ms: at, market });
  }

  disputed(core: CoreMarket, at: number): void {
    const { bus } = this.parts.state;
    const market = this.view(core);
    market.uma_status = "disputed";
    market.was_disputed = true;
    bus.emit({ kind: "market_disputed", seq: bus.next(), ms: at, market });
  }

  resolved(core: CoreMarket, at: number, payout: [number, number]): void {
    const { state, chain, counts } = this.parts;
    const market = this.view(core);
    market.payout_numerators = payout;
    market.resolved_ms = at;
    market.uma_status = "resolved";
    counts.resolved_markets += 1;
    const happening = settle(chain, {
      kind: "market_resolved" as const,
      seq: state.bus.next(),
      ms: at,
      market,
      payout_numerators: payout,
      winner: payout[0] === payout[1] ? null : payout[0] > payout[1] ? (0 as const) : (1 as const),
      log_index: 0,
      ...NO_PLACE,
    });
    state.resolutions.push(happening);
    state.bus.emit(happening);
  }

  split(core: CoreMarket, at: number, wallet: number, size: number): void {
    const { ledger } = this.parts.state;
    for (const outcome of [0, 1]) {
      ledger.buy(wallet, core.number * 2 + outcome, size * 10_000, size * 5000, 0);
    }
    this.parts.counts.splits += 1;
    this.sets("split", core, at, wallet, size);
  }

  merge(core: CoreMarket, at: number, wallet: number, size: number): void {
    const { ledger } = this.parts.state;
    for (const outcome of [0, 1]) ledger.sell(wallet, core.number * 2 + outcome, size * 10_000, size * 5000, 0);
    this.parts.counts.merges += 1;
    this.sets("merge", core, at, wallet, size);
  }

  convert(cores: CoreMarket[], at: number, wallet: number, given: boolean[], size: number): void {
    const { state, counts } = this.parts;
    const { ledger } = state;
    const amount = size * 10_000;
    const count = given.filter(Boolean).length;
    const out = amount * (count - 1);
    let cost = -out;
    let indexSet = 0;
    for (const [i, core] of cores.entries()) {
      if (given[i] !== true) continue;
      cost += ledger.giveUp(wallet, core.number * 2 + 1, amount);
      indexSet += 2 ** i;
    }
    const taken = cores.filter((_, i) => given[i] !== true);
    for (const [place, core] of taken.entries()) {
      ledger.buy(wallet, core.number * 2, amount, evenPart(cost, taken.length, place), 0);
    }
    // All NO were given in: proceeds beyond their cost are profit, booked on the last of them.
    const last = cores[cores.length - 1];
    if (taken.length === 0 && last !== undefined) ledger.gain(wallet, last.number * 2 + 1, -cost);
    counts.conversions += 1;
    const { event } = this.view(cores[0] as CoreMarket);
    const figures = { index_set: indexSet, amount_micro: amount, usd_out_micro: out };
    this.operate(wallet, { kind: "convert", event, ...figures, ...this.operation(at, wallet) });
  }

  redeem(core: CoreMarket, at: number, wallet: number, yes: number, no: number, payout: number): void {
    const { state, counts } = this.parts;
    const market = this.view(core);
    const [a, b] = core.payout ?? [0, 0];
    if (yes > 0) state.ledger.sell(wallet, core.number * 2, yes * 10_000, (yes * 10_000 * a) / (a + b), 0);
    if (no > 0) state.ledger.sell(wallet, core.number * 2 + 1, no * 10_000, (no * 10_000 * b) / (a + b), 0);
    counts.redemptions += 1;
    const amounts_micro: [number, number] = [yes * 10_000, no * 10_000];
    const figures = { amounts_micro, payout_micro: payout };
    this.operate(wallet, { kind: "redeem", market, ...figures, ...this.operation(at, wallet) });
  }

  /** Transfers shares at their cost: the sender has no profit, the receiver takes over the sender's average. */
  transfer(core: CoreMarket, at: number, from: number, to: number, yes: number, no: number): void {
    const { state, chain, counts } = this.parts;
    const amounts_micro: [number, number] = [yes * 10_000, no * 10_000];
    for (const [outcome, amount] of amounts_micro.entries()) {
      if (amount === 0) continue;
      const token = core.number * 2 + outcome;
      state.ledger.buy(to, token, amount, state.ledger.giveUp(from, token, amount), 0);
    }
    counts.transfers += 1;
    const happening = settle(chain, {
      kind: "transfer" as const,
      seq: state.bus.next(),
      ms: at,
      market: this.view(core),
      wallet: this.address(from),
      to_wallet: this.address(to),
      amounts_micro,
      log_index: 0,
      ...NO_PLACE,
    });
    state.transfers.push(happening);
    state.bus.emit(happening);
  }

  jump(core: CoreMarket, at: number, before: number, after: number): void {
    const market = this.view(core);
    const before_e4 = Math.round(before * 10_000);
    const after_e4 = Math.round(after * 10_000);
    this.parts.jumps.push({ ms: at, venue: "polymarket", market: market.condition_id, before_e4, after_e4 });
    this.parts.onJump(market, at, before, after);
  }

  /** Does nothing, because the world keeps its markets. */
  done(): void {}

  private sets(kind: "split" | "merge", core: CoreMarket, at: number, wallet: number, size: number): void {
    const own = { kind, market: this.view(core), amount_micro: size * 10_000 };
    this.operate(wallet, { ...own, ...this.operation(at, wallet) });
  }

  /**
   * Common fields of operations. Since V2 most wallets use a collateral adapter, some still call the contracts
   * directly.
   */
  private operation(ms: number, wallet: number) {
    const seq = this.parts.state.bus.next();
    const is_through_adapter = ms >= this.parts.v2From && seq % 3 !== 0;
    return { seq, ms, wallet: this.address(wallet), is_through_adapter, log_index: 0, ...NO_PLACE };
  }

  private operate(wallet: number, operation: OperationHappening): void {
    const { state, chain } = this.parts;
    settle(chain, operation, wallet);
    state.operations.push(operation);
    state.bus.emit(operation);
  }

  private view(core: CoreMarket): MarketView {
    const market = this.parts.state.markets[core.number];
    if (market === undefined) throw new Error(`Market ${core.number} is not known`);
    return market;
  }

  private address(wallet: number): `0x${string}` {
    return this.parts.state.wallets[wallet]?.address ?? "0x";
  }
}

/** The `place`-th of `count` parts of an evenly split integer: the last parts get the remainder, one more each. */
function evenPart(whole: number, count: number, place: number): number {
  const rest = ((whole % count) + count) % count;
  return (whole - rest) / count + (place >= count - rest ? 1 : 0);
}
