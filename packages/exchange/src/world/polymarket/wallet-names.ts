import type { Wallet } from "../contract.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";
import type { Rng } from "../core/rng.ts";

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
