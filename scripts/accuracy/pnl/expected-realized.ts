import type { World } from "../../../packages/exchange/src/world/world.ts";

/**
 * The world's realised profit by "wallet token", in 1e-6 USD, where it means what ours does. The world books a resolved
 * position when it is redeemed, we when it is resolved: so only what is not resolved, or not held any more. Tokens
 * that came or went by a transfer are booked at no price by us and not at all by the world: they are left out.
 */
export function* expectedRealized(world: World): Generator<readonly [place: string, micro: number]> {
  const moved = new Set<string>();
  for (const transfer of world.polymarket.transfers) {
    for (const token of transfer.market.token_ids) {
      moved.add(`${transfer.wallet.toLowerCase()} ${token}`);
      moved.add(`${transfer.to_wallet.toLowerCase()} ${token}`);
    }
  }
  for (const { address } of world.walletTruth()) {
    for (const { market, outcome, shares_micro, realized_pnl_micro } of world.polymarket.holdingsOf(address)) {
      const place = `${address.toLowerCase()} ${market.token_ids[outcome]}`;
      const isOpen = market.payout_numerators !== null && shares_micro !== 0;
      if (!isOpen && !moved.has(place)) yield [place, realized_pnl_micro];
    }
  }
}
