import type { CoreMarket } from "./core-market.ts";
import type { SimulationParts } from "./simulation.ts";

/**
 * Redemptions after a resolution: nearly all winners, few losers, the first within minutes, the last days later. Half
 * of the redeemers also redeem their shares of the event's other questions immediately.
 */
export class RedeemQueue {
  private readonly parts: SimulationParts;
  private readonly finished: WeakSet<CoreMarket> = new WeakSet();

  constructor(parts: SimulationParts) {
    this.parts = parts;
  }

  add(market: CoreMarket, at: number, siblings: readonly CoreMarket[]): void {
    const { rng } = this.parts;
    const wallets: number[] = [];
    for (const [wallet, position] of market.positions) {
      const wins = position.yes * (market.payout?.[0] ?? 0) + position.no * (market.payout?.[1] ?? 0) > 0;
      if (position.yes + position.no > 0 && rng.chance(wins ? 0.96 : 0.12)) wallets.push(wallet);
    }
    for (let i = wallets.length - 1; i > 0; i -= 1) {
      const j = rng.below(i + 1);
      [wallets[i], wallets[j]] = [wallets[j] as number, wallets[i] as number];
    }
    const whole = siblings.length > 1 ? siblings : [];
    this.next(market, at, wallets, 0, whole);
  }

  private next(market: CoreMarket, at: number, wallets: number[], done: number, siblings: readonly CoreMarket[]): void {
    const { rng, queue, sink } = this.parts;
    if (done >= wallets.length) {
      this.finished.add(market);
      sink.done(market);
      return;
    }
    const mean = market.plan.kind === "updown" ? 20_000 : 120_000;
    queue.push(at + 2000 + Math.round(rng.wait(mean * (1 + done / 5))), (now) => {
      const wallet = wallets[done] as number;
      market.redeem(now, wallet);
      const others = wallet % 2 === 0 ? siblings : [];
      for (const sibling of others) if (!this.finished.has(sibling)) sibling.redeem(now, wallet);
      this.next(market, now, wallets, done + 1, siblings);
    });
  }
}
