import { lessMicros, exactMicros, microsOf, type Micros } from "../../definition/micros.ts";
import type { KeyedRow, ReadKeyed } from "../../definition/served-keyed.ts";
import { servedMarkets } from "../../tables/served-markets.ts";
import { servedResolutions } from "../../tables/served-resolutions.ts";

/** Payouts of a condition by outcome, as in resolutionsSql; see Resolution. */
export type PaidOut = {
  readonly at: number;
  readonly block: number;
  readonly log: number;
  /** 0x-hex; zeros if from the catalogue. */
  readonly tx: string;
  readonly isFromCatalogue: boolean;
  readonly payouts: readonly Micros[];
};

const DOLLAR = 1_000_000;
const NO_HASH = `0x${"0".repeat(64)}`;
/** Same values as in CATALOGUE_IS_FINAL. */
const SURE_PRICE = 999_900;
const RESOLVED = new Set(["resolved", "settled"]);

/** The chain's first resolution, else the catalogue's once final; undefined while neither has one. */
export function resolutionByKey(condition: string, read: ReadKeyed): PaidOut | undefined {
  return ofChain(condition, read) ?? ofCatalogue(condition, read);
}

function ofChain(condition: string, read: ReadKeyed): PaidOut | undefined {
  let first: PaidOut | undefined;
  for (const row of read(servedResolutions, "condition_id", condition)) {
    const [at, log] = [row.number("ts"), row.number("log_index")];
    if (first !== undefined && at > first.at) break;
    if (first !== undefined && log >= first.log) continue;
    const payouts = String(row.value("payouts")).split(",");
    first = {
      at,
      block: row.number("block_number"),
      log,
      tx: String(row.value("tx_hash")),
      isFromCatalogue: false,
      payouts: payouts.map((payout) => exactMicros(microsOf(payout))),
    };
  }
  return first;
}

function ofCatalogue(condition: string, read: ReadKeyed): PaidOut | undefined {
  for (const row of read(servedMarkets, "condition_id", condition)) {
    // A null time is read as 0.
    const [at, payout] = [row.number("closed_date"), row.value("payout_a")];
    if (row.number("closed") === 0 || at === 0 || payout === null) return undefined;
    const status = String(row.value("resolution_status")).toLowerCase();
    if (!RESOLVED.has(status) && !(status === "" && isPricedLikeResult(row))) return undefined;
    const paid = exactMicros(row.micros("payout_a"));
    const payouts = [paid, exactMicros(lessMicros(DOLLAR, paid))];
    return { at, block: 0, log: 0, tx: NO_HASH, isFromCatalogue: true, payouts };
  }
  return undefined;
}

/** An unknown price does not count. */
const isPricedLikeResult = (row: KeyedRow): boolean =>
  ["side_a_price", "side_b_price"].some((side) => row.value(side) !== null && row.micros(side) >= SURE_PRICE);
