import type { CoreMarket } from "../world/core/core-market.ts";
import type { Crowd } from "../world/core/crowd.ts";
import type { Purses } from "../world/core/purses.ts";
import { LineWriter } from "./line-writer.ts";

interface WalletTruthParts {
  shard: number;
  /** 20 bytes a wallet. */
  wallets: Buffer;
  crowd: Crowd;
  purses: Purses;
  /** Markets in which something may still be held. */
  open: Iterable<CoreMarket>;
  /** Micro USD that could still be redeemed in all other markets, by wallet. */
  unclaimed: Float64Array;
}

/** One line a wallet: what it is inside, and its exact profit by cash. */
export function writeWalletTruth(path: string, parts: WalletTruthParts): void {
  const { shard, wallets, crowd, purses } = parts;
  const held = parts.unclaimed.slice();
  for (const market of parts.open) {
    const { payout } = market;
    const p = payout === null ? market.latent.p(market.index) : payout[0] / (payout[0] + payout[1]);
    for (const [w, position] of market.positions) {
      held[w] = (held[w] as number) + (position.yes * p + position.no * (1 - p)) * 10_000;
    }
  }
  const lines = new LineWriter(path);
  for (let w = 0; w < crowd.count; w += 1) {
    const ring = crowd.rings[w] as number;
    lines.write({
      wallet: `0x${wallets.subarray(w * 20, w * 20 + 20).toString("hex")}`,
      style: crowd.styles[w],
      skill: crowd.skills[w],
      ring: ring < 0 ? null : ring * 2 + shard,
      bankroll_micro: crowd.bankrolls[w],
      cash_pnl_micro: purses.profit(w),
      marked_pnl_micro: Math.round(purses.profit(w) + (held[w] as number)),
    });
  }
  lines.close();
}
