import { addMicros } from "../../definition/micros.ts";
import type { MadeValue } from "../../definition/served-buckets.ts";
import type { Amount, FoldedPosition, FoldedWallet } from "../wallet/folded-wallet.ts";
import { figure, type Decimal } from "./amounts.ts";
import { categoryFields } from "./category-figures.ts";
import { curveFields } from "./curve-figures.ts";
import { dailySeries } from "./daily-series.ts";
import { edgeFields, timingOf, type Entry } from "./entry-figures.ts";
import { spreadOf } from "./market-figures.ts";
import { marketsSince } from "./market-sums.ts";
import { historyFields, profitFields } from "./profit-figures.ts";
import { returnFields, returnsOf } from "./return-figures.ts";
import { flagFields } from "./risk-flags.ts";
import { sumDays, type DaySpan } from "./window-sums.ts";

const MILLION = 1_000_000n;
const PRODUCT_PLACES = 12;

/** A pattern that a wallet showed in the 30 days up to a day. */
export type ShownPattern = {
  readonly day: number;
  readonly pattern: string;
  readonly score: number;
  readonly share: number;
  readonly clusterSize: number;
};

/** A wallet, a window, and all data about the wallet up to the window's end. */
export type ProfileInput = {
  /** 0x-hex, lower case. */
  readonly wallet: string;
  /** Length of the window, and its last day, in days since 1970. */
  readonly days: number | "all";
  readonly asOf: number;
  /** Folded through `asOf`. */
  readonly folded: FoldedWallet;
  /** Entries of the window. */
  readonly entries: readonly Entry[];
  /** Patterns of the thirty days up to `asOf`. */
  readonly patterns: readonly ShownPattern[];
  /** Score of dataset 584. */
  readonly score: number | null;
  /** Income of the window; undefined if it was never requested. */
  readonly income: { readonly usd: Amount; readonly checkedAt: number } | undefined;
  /** Path of a condition's category; empty if absent. */
  readonly categoryOf: (condition: string) => string;
  /** Newest mark of a token up to `asOf`. */
  readonly markOf: (token: string) => Amount | undefined;
};

/** The row of dataset 581; undefined if the wallet has no day up to then. */
export function walletProfile(input: ProfileInput): Readonly<Record<string, MadeValue>> | undefined {
  const { folded, days, asOf, entries } = input;
  const [earliest, latest] = [folded.days[0], folded.days.at(-1)];
  if (earliest === undefined || latest === undefined) return undefined;
  const first = days === "all" ? earliest.day : asOf - days + 1;
  const span: DaySpan = { first, last: asOf, length: asOf - first + 1 };
  const sums = sumDays(folded.days, first);
  const series = dailySeries(folded.days, first);
  const returns = returnsOf(series);
  const { markets, ended } = marketsSince(folded, first);
  const spread = spreadOf(markets, ended, sums.bought);
  const timing = timingOf(entries);
  const sybil = newestOf(input.patterns, "sybil");
  return {
    proxy_wallet: input.wallet,
    ...profitFields(sums, span),
    ...historyFields(folded.days, latest, asOf),
    ...returnFields(returns),
    ...curveFields(series, span, returns.annual),
    ...spread.fields,
    ...categoryFields(markets, input.categoryOf),
    ...edgeFields(entries),
    ...timing.fields,
    ...flagFields({ sums, timing, spread, sybilScore: sybil?.score ?? 0 }),
    sybil_risk_score: figure(sybil?.score ?? 0),
    similar_wallets_count: Math.max(sybil?.clusterSize ?? 0, 1) - 1,
    wash_volume_share: figure(newestOf(input.patterns, "wash")?.share ?? 0),
    wallet_score: figure(input.score),
    ...moneyFields(input, sums.pnl),
  };
}

function newestOf(patterns: readonly ShownPattern[], name: string): ShownPattern | undefined {
  let newest: ShownPattern | undefined;
  for (const one of patterns) if (one.pattern === name && !(newest && newest.day >= one.day)) newest = one;
  return newest;
}

/** Gains in addition to the realised profit. */
function moneyFields({ folded, markOf, income }: ProfileInput, pnl: Amount): Readonly<Record<string, MadeValue>> {
  const unrealized = unrealizedOf(folded.positions, markOf);
  const settled = income === undefined ? null : addMicros(pnl, income.usd);
  return {
    unrealized_pnl: unrealized,
    income_usd: income?.usd ?? null,
    settled_pnl: settled,
    economic_pnl: settled === null ? null : { ...unrealized, parts: unrealized.parts + BigInt(settled) * MILLION },
    income_checked_at: income?.checkedAt ?? null,
  };
}

/** Value less cost of the holdings; a payout takes precedence over a mark, and a holding with neither counts 0. */
function unrealizedOf(positions: readonly FoldedPosition[], markOf: ProfileInput["markOf"]): Decimal {
  let parts = 0n;
  for (const { token, shares, cost, payout } of positions) {
    if (shares === 0 || shares === 0n) continue;
    const mark = payout ?? markOf(token);
    if (mark !== undefined) parts += BigInt(shares) * BigInt(mark) - BigInt(cost) * MILLION;
  }
  return { parts, places: PRODUCT_PLACES };
}
