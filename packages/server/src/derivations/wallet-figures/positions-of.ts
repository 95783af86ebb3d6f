import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import { quotient, type MadeValue } from "../../definition/served-buckets.ts";
import type { MadeRow } from "../../definition/served-keyed.ts";
import type { Amount, FoldedPosition, FoldedWallet } from "../wallet/folded-wallet.ts";
import type { VenuePosition } from "../wallet/venue-position.ts";
import { realOf } from "./amounts.ts";
import { compareTokens, compareValues, storedCondition, type OfToken } from "./tokens.ts";

/** Sources of positions' values and names. */
export type PositionSources = {
  /** The newest mark up to the end of the fold's last day. */
  readonly markOf: (token: string) => Amount | undefined;
  readonly ofToken: OfToken;
  /** The token as the venue shows it. */
  readonly venueOf: (token: string) => VenuePosition;
};

/** Undefined selects all. Conditions are 0x-hex, tokens decimal text. */
export type PositionsRequested = {
  readonly status?: string | undefined;
  readonly conditions?: ReadonlySet<string> | undefined;
  readonly tokens?: ReadonlySet<string> | undefined;
};

/** Position of a row in the order of dataset 1001. */
export type PositionPlace = {
  /** Millionths; 0 without a mark. */
  readonly value: bigint;
  /** Decimal text. */
  readonly token: string;
  readonly wallet: string;
};

export type PositionRow = MadeRow & PositionPlace;

/** A position with its value, rounded down as costs are; undefined without a mark. */
type Valued = FoldedPosition & { readonly mark: Amount | undefined; readonly worth: Amount | undefined };

const MICRO_PLACES = 6;
const MICRO = 1_000_000;
const MILLION = 1_000_000n;
const PERCENT_PARTS = 10_000;

/** The largest value first. */
export const comparePositions = (a: PositionPlace, b: PositionPlace): number =>
  compareValues(b.value, a.value) || compareTokens(a.token, b.token) || compareValues(a.wallet, b.wallet);

/** Position of a row according to a cursor: value, token, wallet. */
export function positionPlaceOf([value, token, wallet]: readonly (string | number)[]): PositionPlace {
  const [whole = "", fraction = ""] = String(value).split(".");
  return { value: BigInt(whole + fraction.padEnd(MICRO_PLACES, "0")), token: String(token), wallet: String(wallet) };
}

/** Rows of dataset 1001 of a wallet folded through the requested day; unordered. */
export function positionsOf(
  wallet: string,
  { positions }: Pick<FoldedWallet, "positions">,
  { markOf, ...sources }: PositionSources,
  requested: PositionsRequested,
): PositionRow[] {
  const valued = positions.map((position) => valuedAt(position, position.payout ?? markOf(position.token)));
  // Positions not selected still count in the total.
  const total = valued.reduce<Amount>((sum, { worth = 0 }) => addMicros(sum, worth), 0);
  return valued
    .filter((position) => isRequested(position, requested))
    .map((position) => ({
      at: 0,
      value: BigInt(position.worth ?? 0),
      token: position.token,
      wallet,
      values: () => valuesOf(wallet, position, total, sources),
    }));
}

const valuedAt = (position: FoldedPosition, mark: Amount | undefined): Valued => ({
  ...position,
  mark,
  worth: mark === undefined ? undefined : mulDivFloor(position.shares, mark, MICRO),
});

function statusOf({ shares, payout }: FoldedPosition): string {
  if (BigInt(shares) === 0n) return "closed";
  return payout === undefined ? "open" : "redeemable";
}

const isRequested = (position: FoldedPosition, { status, conditions, tokens }: PositionsRequested): boolean =>
  (status === undefined || statusOf(position) === status) &&
  (conditions === undefined || conditions.has(storedCondition(position))) &&
  (tokens === undefined || tokens.has(position.token));

function valuesOf(
  wallet: string,
  position: Valued,
  total: Amount,
  { ofToken, venueOf }: Omit<PositionSources, "markOf">,
): Record<string, MadeValue> {
  const { token, shares, cost, mark, worth, fee } = position;
  const venue = venueOf(token);
  return {
    proxy_wallet: wallet,
    token_id: token,
    condition_id: storedCondition(position),
    slug: ofToken(token, "slug"),
    outcome: ofToken(token, "outcome"),
    status: statusOf(position),
    shares,
    average_cost: quotient(cost, shares, MILLION),
    cost,
    cost_fifo: position.costFifo,
    mark: mark ?? null,
    value: worth ?? null,
    unrealized_pnl: worth === undefined ? null : lessMicros(worth, cost),
    realized_pnl: lessMicros(position.realized, fee),
    realized_pnl_fifo: lessMicros(position.realizedFifo, fee),
    fees: fee,
    shares_bought: position.sharesBought,
    bought: position.bought,
    shares_sold: position.sharesSold,
    sold: position.sold,
    trades: position.buys + position.sells,
    opened_at: position.openedAt,
    last_at: position.lastAt,
    pct_of_value: worth === undefined || total === 0 ? null : percentOf(worth, total),
    avg_entry_price: venue.averageEntry,
    pnl_polymarket: venue.pnl(shares, mark) ?? null,
    estimated: position.isEstimated,
  };
}

/** Percentage to four places in floats, as the engine computes it: each step rounds, halves to even. */
function percentOf(worth: Amount, total: Amount): MadeValue {
  const scaled = ((100 * realOf(worth)) / realOf(total)) * PERCENT_PARTS;
  const below = Math.floor(scaled);
  const isUp = scaled - below === 0.5 ? below % 2 === 1 : scaled - below > 0.5;
  return { parts: BigInt(isUp ? below + 1 : below), places: 4 };
}
