import type { World } from "../../../packages/exchange/src/world/world.ts";

/**
 * The world's realised profit by "wallet token", in 1e-6 USD, where it means what ours does. The world books a resolved
 * position when it is redeemed, we when it is resolved: so only what is not resolved, or not held any more. Tokens
 * that came or went by a transfer are booked at no price by us and at the sender's cost by the world: they are left out,
 * and so are those of the same event where a conversion hands that cost on to them.
 */
export function* expectedRealized(world: World): Generator<readonly [place: string, micro: number]> {
  const moved = new Set<string>();
  for (const transfer of world.polymarket.transfers) {
    for (const token of transfer.market.token_ids) {
      moved.add(`${transfer.wallet.toLowerCase()} ${token}`);
      moved.add(`${transfer.to_wallet.toLowerCase()} ${token}`);
    }
  }
  for (const operation of world.polymarket.operations) {
    if (operation.kind !== "convert") continue;
    const places = operation.event.markets.flatMap((market) =>
      market.token_ids.map((token) => `${operation.wallet.toLowerCase()} ${token}`),
    );
    if (places.some((place) => moved.has(place))) for (const place of places) moved.add(place);
  }
  for (const { address } of world.walletTruth()) {
    for (const { market, outcome, shares_micro, realized_pnl_micro } of world.polymarket.holdingsOf(address)) {
      const place = `${address.toLowerCase()} ${market.token_ids[outcome]}`;
      const isOpen = market.payout_numerators !== null && shares_micro !== 0;
      if (!isOpen && !moved.has(place)) yield [place, realized_pnl_micro];
    }
  }
}
