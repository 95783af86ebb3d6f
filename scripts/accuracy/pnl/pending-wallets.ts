import type { World } from "../../../packages/exchange/src/world/world.ts";

/**
 * Wallets (lower case) of which something happened that no block holds yet: a world that stands still knows of it, its
 * chain does not.
 */
export function pendingWallets(world: World): ReadonlySet<string> {
  const now = world.now();
  const { matches, operations, transfers } = world.polymarket;
  const wallets = [
    ...matches
      .filter(({ block_ms }) => block_ms > now)
      .flatMap(({ makers, taker }) => [...makers, taker].map(({ wallet }) => wallet)),
    ...operations.filter(({ block_ms }) => block_ms > now).map(({ wallet }) => wallet),
    ...transfers.filter(({ block_ms }) => block_ms > now).flatMap(({ wallet, to_wallet }) => [wallet, to_wallet]),
  ];
  return new Set(wallets.map((wallet) => wallet.toLowerCase()));
}
