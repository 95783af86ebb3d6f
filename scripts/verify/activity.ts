import type { MarketResolvedHappening, TxPlace } from "../../packages/exchange/src/world/contract.ts";
import type { OperationHappening, TransferHappening } from "../../packages/exchange/src/world/operation-contract.ts";
import type { Row } from "./tally.ts";

const KINDS = { split: "split", merge: "merge", convert: "conversion", redeem: "redemption" } as const;

type Placed = TxPlace & { readonly log_index: number };
export type Transferred = { readonly transfer: TransferHappening; readonly outcome: 0 | 1; readonly place: number };

const placeOf = ({ tx_hash, block_number, block_ms, log_index }: Placed): Row => ({
  timestamp: `${new Date(block_ms).toISOString().slice(0, 19)}Z`,
  transaction_hash: tx_hash,
  block_number,
  log_index,
});

/** The row of 1104 expected for an operation, exact to the last unit. */
export function expectedOperation(operation: OperationHappening): Row {
  const common = {
    ...placeOf(operation),
    kind: KINDS[operation.kind],
    proxy_wallet: operation.wallet,
    is_inner: false,
  };
  if (operation.kind === "convert") {
    return {
      ...common,
      condition_id: null,
      neg_risk_market_id: operation.event.neg_risk_market_id,
      index_set: String(operation.index_set),
      amount: operation.amount_micro / 1e6,
      usd: operation.usd_out_micro / 1e6,
      tokens: tokensText(
        operation.event.markets.map((market) =>
          Math.floor(operation.index_set / 2 ** market.question_index) % 2 === 1
            ? [market.token_ids[1], -operation.amount_micro]
            : [market.token_ids[0], operation.amount_micro],
        ),
      ),
    };
  }
  const { market } = operation;
  const shared = { ...common, condition_id: market.condition_id, slug: market.slug, neg_risk_market_id: null };
  if (operation.kind === "redeem") {
    const [yes, no] = operation.amounts_micro;
    const tokens = tokensText([
      [market.token_ids[0], -yes],
      [market.token_ids[1], -no],
    ]);
    return { ...shared, amount: (yes + no) / 1e6, usd: operation.payout_micro / 1e6, tokens };
  }
  const micro = operation.kind === "split" ? operation.amount_micro : -operation.amount_micro;
  const tokens = tokensText(market.token_ids.map((token) => [token, micro]));
  return { ...shared, amount: operation.amount_micro / 1e6, usd: -micro / 1e6, tokens };
}

/** The changes formatted as in the response, in order of token. */
function tokensText(changes: readonly (readonly [token: string, micro: number])[]): string {
  return sortedTokens(
    changes.filter(([, micro]) => micro !== 0).map(([token_id, micro]) => ({ token_id, shares: String(micro / 1e6) })),
  );
}

/** Sorted, since responses may list the tokens in any order. */
export function sortedTokens(tokens: readonly { readonly token_id: string; readonly shares: string }[]): string {
  return JSON.stringify(tokens.toSorted((a, b) => (BigInt(a.token_id) < BigInt(b.token_id) ? -1 : 1)));
}

/** The row of 1105 expected for a resolution. */
export function expectedResolution(resolved: MarketResolvedHappening): Row {
  const { market, payout_numerators: parts, winner } = resolved;
  return {
    ...placeOf(resolved),
    condition_id: market.condition_id,
    winning_index: winner,
    payouts: JSON.stringify(parts.map((part) => String(part / (parts[0] + parts[1])))),
    payout_numerators: JSON.stringify(parts.map(String)),
    oracle: market.oracle,
    question_id: market.question_id,
  };
}

/** The rows of a transfer: one for each token sent. */
export function transferredOf(transfer: TransferHappening): Transferred[] {
  const outcomes = ([0, 1] as const).filter((outcome) => transfer.amounts_micro[outcome] > 0);
  return outcomes.map((outcome, place) => ({ transfer, outcome, place }));
}

/** The row of 1106 expected for one token of a transfer. */
export function expectedTransfer({ transfer, outcome, place }: Transferred): Row {
  const { market, wallet, to_wallet, amounts_micro } = transfer;
  return {
    ...placeOf(transfer),
    place,
    from_wallet: wallet,
    to_wallet,
    operator: wallet,
    token_id: market.token_ids[outcome],
    condition_id: market.condition_id,
    slug: market.slug,
    outcome: market.outcomes[outcome],
    size: amounts_micro[outcome] / 1e6,
  };
}
