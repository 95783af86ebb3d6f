import type { Wallet } from "../contract.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";
import type { Rng } from "../core/rng.ts";
import type { Crowd } from "../core/crowd.ts";
import type { PolymarketState } from "./polymarket-state.ts";
import type { Purses } from "../core/purses.ts";
import type { WalletTruth } from "../world.ts";

const FIRST = [
  "Idle",
  "Brisk",
  "Quiet",
  "Golden",
  "Rusty",
  "Lucky",
  "Frosty",
  "Sunny",
  "Velvet",
  "Distant",
  "Humble",
  "Grand",
];
const LAST = [
  "Paint",
  "Harbor",
  "Otter",
  "Lantern",
  "Cactus",
  "Engine",
  "Pepper",
  "Falcon",
  "Marble",
  "Signal",
  "Walnut",
  "Comet",
];

/** Addresses and invented names of all wallets, by wallet number. */
export function createWallets(seed: number, count: number, startMs: number, rng: Rng): Wallet[] {
  const names = rng.fork("wallet names");
  return Array.from({ length: count }, (_, i) => {
    const pseudonym = `${names.pick(FIRST)}-${names.pick(LAST)}`;
    return {
      address: mixHex(seed, HASH_KIND.wallet, i, 20),
      name: names.chance(0.5) ? `${pseudonym.replace("-", "").toLowerCase()}${names.below(1000)}` : "",
      pseudonym,
      created_ms: startMs,
    };
  });
}

/** Current ground truth of each wallet, by wallet number. */
export function walletTruths(state: PolymarketState, crowd: Crowd, purses: Purses): WalletTruth[] {
  const held = new Float64Array(crowd.count);
  for (const { core } of state.markets) {
    const p = core.payout === null ? core.latent.p(core.index) : core.payout[0] / (core.payout[0] + core.payout[1]);
    for (const [wallet, position] of core.positions) {
      held[wallet] = (held[wallet] as number) + (position.yes * p + position.no * (1 - p)) * 10_000;
    }
  }
  return state.wallets.map((wallet, i) => ({
    address: wallet.address,
    style: crowd.styles[i] ?? "noise",
    skill: crowd.skills[i] as number,
    ring: (crowd.rings[i] as number) < 0 ? null : (crowd.rings[i] as number),
    bankroll_micro: crowd.bankrolls[i] as number,
    cash_pnl_micro: purses.profit(i),
    marked_pnl_micro: Math.round(purses.profit(i) + (held[i] as number)),
  }));
}
