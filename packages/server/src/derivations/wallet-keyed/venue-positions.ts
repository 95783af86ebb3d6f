import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import type { Amount } from "../wallet/folded-wallet.ts";
import type { Resolution } from "../wallet/ledger-row.ts";
import { VenuePosition } from "../wallet/venue-position.ts";
import type { ReportedRow } from "./ledger-by-key.ts";

type Resolutions = ReadonlyMap<string, Resolution>;
type PositionOf = (token: string) => VenuePosition;

const MICRO = 1_000_000;
const ROWS_A_STEP = 256;
const minus = (value: Amount): Amount => lessMicros(0, value);

/** The tokens of a complete ledger, in LEDGER_ORDER, as in Polymarket's position figures; in steps. */
export function* venuePositions(
  rows: readonly ReportedRow[],
  resolutions: Resolutions,
): Generator<undefined, (token: string) => VenuePosition> {
  const byToken = new Map<string, VenuePosition>();
  const positionOf = (token: string): VenuePosition => {
    let position = byToken.get(token);
    if (position === undefined) byToken.set(token, (position = new VenuePosition()));
    return position;
  };
  for (let at = 0; at < rows.length;) {
    const operation = conversionAt(rows, at);
    if (operation === undefined) apply(positionOf, rows[at] as ReportedRow, resolutions);
    else convert(positionOf, operation);
    at += operation?.length ?? 1;
    if (at % ROWS_A_STEP === 0) yield;
  }
  return positionOf;
}

/** The rows of a conversion that begins at this row; undefined if none does. */
function conversionAt(rows: readonly ReportedRow[], at: number): readonly ReportedRow[] | undefined {
  const first = rows[at];
  if (first?.kind !== "conversion") return undefined;
  let end = at + 1;
  for (let next = rows[end]; next !== undefined && isOfOne(first, next); next = rows[end]) end += 1;
  return rows.slice(at, end);
}

const isOfOne = (a: ReportedRow, b: ReportedRow): boolean => a.kind === b.kind && a.tx === b.tx && a.log === b.log;

/** Transfers change only the balance. */
function apply(positionOf: PositionOf, row: ReportedRow, resolutions: Resolutions): void {
  const { kind, token, shares, usd, feeShares, fee } = row;
  const position = positionOf(token);
  if (kind === "buy") {
    const paid = feeShares > 0 ? lessMicros(fee, usd) : minus(usd);
    position.buy(addMicros(shares, feeShares), paid);
  } else if (kind === "sell") position.sell(minus(shares), usd);
  else if (kind === "split") position.buy(shares, halfOf(shares));
  else if (kind === "merge") position.sell(minus(shares), halfOf(minus(shares)));
  else if (kind === "redemption") position.redeem(minus(shares), redeemedFor(row, resolutions));
}

const halfOf = (shares: Amount): Amount => mulDivFloor(shares, 1, 2);

/** Shares without a known result brought the amount paid out. */
function redeemedFor({ token, condition, shares, usd }: ReportedRow, resolutions: Resolutions): Amount {
  const payout = resolutions.get(condition)?.payouts.get(token);
  return payout === undefined ? usd : mulDivFloor(minus(shares), payout, MICRO);
}

/** As in Polymarket's subgraph: NO leave at their average price, YES share that cost less the money equally. */
function convert(positionOf: PositionOf, rows: readonly ReportedRow[]): void {
  let cost: Amount = 0;
  for (const { token, shares, usd } of rows) {
    cost = lessMicros(cost, usd);
    if (shares < 0) cost = addMicros(cost, positionOf(token).convert(minus(shares)));
  }
  const taken = rows.filter(({ shares }) => shares > 0);
  for (const [index, { token, shares }] of taken.entries()) {
    const part = mulDivFloor(cost, 1, taken.length - index);
    cost = lessMicros(cost, part);
    positionOf(token).buy(shares, part);
  }
}
