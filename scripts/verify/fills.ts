import type { FillLeg, MatchHappening } from "../../packages/exchange/src/world/contract.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";
import { near, type Row } from "./tally.ts";

export type Source = "chain" | "data";
export type Fill = { readonly match: MatchHappening; readonly leg: FillLeg };

/** Lag after which the Data API has a block. */
export const DATA_LAG_MS = 3000;
/** Error of a price of ten digits times the shares, rounded. */
const DATA_USD_ERROR = 2e-6;

/** Current chain position of a match, by its sequence; undefined if a reorganisation removed it. */
export type MatchPlacer = (seq: number) => MatchPlace | undefined;
type MatchPlace = { readonly block_number: number; readonly block_ms: number; readonly log_index: number };

/** Every leg that a perfect collector would have by now, in chain order, with the chain read up to its head. */
export function fillsOf(world: World, source: Source, placeOf?: MatchPlacer): Fill[] {
  const { matches } = world.polymarket;
  const reported =
    source === "chain"
      ? placed(matches, placeOf).filter(({ block_number }) => block_number <= world.chain.head())
      : matches.filter(
          ({ block_ms, seq }) =>
            block_ms <= world.reached() - DATA_LAG_MS && (placeOf === undefined || placeOf(seq) !== undefined),
        );
  return reported.flatMap((match) => [...match.makers, match.taker].map((leg) => ({ match, leg })));
}

function placed(matches: readonly MatchHappening[], placeOf: MatchPlacer | undefined): readonly MatchHappening[] {
  if (placeOf === undefined) return matches;
  return matches
    .flatMap((match) => {
      const place = placeOf(match.seq);
      return place === undefined ? [] : [{ match, place }];
    })
    .toSorted((a, b) => a.place.block_number - b.place.block_number || a.place.log_index - b.place.log_index)
    .map(({ match, place: { block_number, block_ms } }) => Object.assign({ ...match }, { block_number, block_ms }));
}

/** Identity of a fill: its transaction and order from the chain, all fields from the Data API, numbered if equal. */
export function fillKeys(source: Source): { ofTruth: (fill: Fill) => string; ofRow: (row: Row) => string } {
  if (source === "chain") {
    return {
      ofTruth: ({ match, leg }) => `${match.tx_hash}_${leg.order_hash}`,
      ofRow: (row) => `${String(row["transaction_hash"])}_${String(row["order_hash"])}`,
    };
  }
  const [truth, rows] = [numbered(), numbered()];
  return {
    ofTruth: ({ match, leg }) =>
      truth([
        match.tx_hash,
        leg.wallet,
        leg.token_id,
        leg.side,
        String(leg.shares_micro / 1e6),
        leg.role,
        levelOf(leg.role, leg.usd_micro / leg.shares_micro),
      ]),
    ofRow: (row) =>
      rows([
        ...["transaction_hash", "proxy_wallet", "token_id", "side", "size", "role"].map((field) => String(row[field])),
        levelOf(row["role"], Number(row["price"])),
      ]),
  };
}

/** A maker has one price, which distinguishes orders of one wallet; a taker's is an average with an error. */
const levelOf = (role: unknown, price: number): string => (role === "maker" ? price.toFixed(4) : "");

function numbered(): (parts: readonly string[]) => string {
  const counts = new Map<string, number>();
  return (parts) => {
    const text = parts.join(" ");
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    return `${text} ${count}`;
  };
}

export function expectedFill({ match, leg }: Fill, source: Source): Row {
  const usd = leg.usd_micro / 1e6;
  const price = usd / (leg.shares_micro / 1e6);
  const shared = {
    condition_id: match.market.condition_id,
    slug: match.market.slug,
    outcome: match.market.outcomes[leg.outcome],
    side: leg.side,
    size: leg.shares_micro / 1e6,
    proxy_wallet: leg.wallet,
    timestamp: `${new Date(match.block_ms).toISOString().slice(0, 19)}Z`,
    token_id: leg.token_id,
    transaction_hash: match.tx_hash,
    role: leg.role,
  };
  if (source === "data") {
    const error = DATA_USD_ERROR / (leg.shares_micro / 1e6);
    return {
      ...shared,
      order_hash: null,
      usd: near(usd, DATA_USD_ERROR),
      price: near(price, error),
      fee_usd: 0,
      block_number: null,
    };
  }
  return {
    ...shared,
    order_hash: leg.order_hash,
    price: near(price, 1e-12),
    usd,
    fee_usd: leg.fee_micro / 1e6,
    block_number: match.block_number,
  };
}
