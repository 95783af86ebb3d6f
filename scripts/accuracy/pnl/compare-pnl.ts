import type { World } from "../../../packages/exchange/src/world/world.ts";
import { sql } from "../../../packages/server/src/definition/sql.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";

/** How many agree to the last unit (1e-6), out of how many; the largest difference in USD and where it occurs. */
export type Agreement = {
  readonly exact: number;
  readonly all: number;
  readonly largestUsd: number;
  readonly where: string;
};

export type PnlVerdict = {
  readonly seed: number;
  readonly fills: number;
  /** Every wallet's cash against the world's purses. */
  readonly cash: Agreement;
  /** Realised profit by token against the world's average-cost accounts, where both use the same definition. */
  readonly realized: Agreement;
  /** Realised profit less fees, less the cost of open positions, against the cash: the residual of each wallet. */
  readonly residual: Agreement;
  readonly estimated: number;
};

type Total = { wallet: string; cash: string; residual: string; estimated: string };

/** Compares the service's results with the world's ground truth, wallet by wallet. The world must be paused. */
export async function comparePnl(world: World, store: Pick<Store, "rows">): Promise<PnlVerdict> {
  const totals = await store.rows<Total>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(reinterpretAsInt64(cash_total_usd)) AS cash, toString(reinterpretAsInt64(realized_total_usd) - reinterpretAsInt64(fee_total_usd) - reinterpretAsInt64(open_cost_usd) - reinterpretAsInt64(cash_total_usd)) AS residual, toString(toUInt8(is_estimated)) AS estimated FROM wallet_days FINAL WHERE NOT is_gone ORDER BY wallet, day DESC LIMIT 1 BY wallet`,
  );
  const found = new Map(totals.map((row) => [row.wallet, row]));
  const cash = tally();
  const residual = tally();
  const pending = pendingWallets(world);
  for (const { address, cash_pnl_micro } of world.walletTruth()) {
    if (pending.has(address.toLowerCase())) continue;
    const own = found.get(address.toLowerCase());
    found.delete(address.toLowerCase());
    cash.add(address, Number(own?.cash ?? 0) - cash_pnl_micro);
    if (own && own.estimated === "0") residual.add(address, Number(own.residual));
  }
  for (const [wallet, row] of found) if (!pending.has(wallet)) cash.add(wallet, Number(row.cash) || 1);
  return {
    seed: world.seed,
    fills: world.truth().fills,
    cash: cash.agreement(),
    realized: await compareRealized(world, store),
    residual: residual.agreement(),
    estimated: totals.filter(({ estimated }) => estimated === "1").length,
  };
}

async function compareRealized(world: World, store: Pick<Store, "rows">): Promise<Agreement> {
  const rows = await store.rows<{ wallet: string; token: string; realized: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(token_id) AS token, toString(sum(reinterpretAsInt64(realized_usd))) AS realized FROM wallet_token_days FINAL WHERE NOT is_gone GROUP BY wallet, token_id`,
  );
  const found = new Map(rows.map(({ wallet, token, realized }) => [`${wallet} ${token}`, Number(realized)]));
  const agreed = tally();
  const pending = pendingWallets(world);
  for (const [place, micro] of expectedRealized(world)) {
    if (!pending.has(place.split(" ")[0] ?? "")) agreed.add(place, (found.get(place) ?? 0) - micro);
  }
  return agreed.agreement();
}

function tally() {
  let [exact, all, largest, where] = [0, 0, 0, ""];
  return {
    add: (place: string, micro: number): void => {
      all += 1;
      if (micro === 0) exact += 1;
      if (Math.abs(micro) > Math.abs(largest)) [largest, where] = [micro, place];
    },
    agreement: (): Agreement => ({ exact, all, largestUsd: largest / 1e6, where }),
  };
}

/** Wallets (lower case) with an event that is in no block yet: a paused world knows of it, its chain does not. */
function pendingWallets(world: World): ReadonlySet<string> {
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

/**
 * The world's realised profit by "wallet token", in 1e-6 USD, where it is defined as ours is. The world books a
 * resolved position when it is redeemed, we when it is resolved: so only tokens that are unresolved, or no longer held.
 * Tokens that moved by a transfer are booked at no price by us and at the sender's cost by the world: they are omitted,
 * as are those of the same event where a conversion passes that cost on to them.
 */
function* expectedRealized(world: World): Generator<readonly [place: string, micro: number]> {
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
