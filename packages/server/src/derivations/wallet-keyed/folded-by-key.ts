import { dayOf } from "../../definition/day-of.ts";
import type { KeyedReader } from "../../definition/served-keyed.ts";
import { servedMarkets } from "../../tables/served-markets.ts";
import { servedResolutions } from "../../tables/served-resolutions.ts";
import { servedTokenDays } from "../../tables/served-token-days.ts";
import { foldedWallet } from "../wallet/collect-wallet.ts";
import type { Amount, FoldedWallet } from "../wallet/folded-wallet.ts";
import { newestMark, type Marks } from "../wallet/held-tokens.ts";
import { NOTHING_BEFORE } from "../wallet/wallet-state.ts";
import {
  LEDGER_FROM,
  resolutionsOf,
  reportedLedger,
  type ReportedLedger,
  type ReportedResolution,
} from "./reported-ledger.ts";

/** Tables that a fold by key reads in addition to tokens, and with marks. */
export const FOLDED_FROM = [...LEDGER_FROM, servedResolutions, servedMarkets] as const;
export const MARKED_FROM = [...FOLDED_FROM, servedTokenDays] as const;

const DAY = 86_400;

type Requested = {
  /** 0x-hex, lower case. */
  readonly wallet: string;
  /** The last day (since 1970) to fold. */
  readonly asOf: number;
  /** The last completed day. Without it days are not valued, and days without activity are omitted. */
  readonly closed?: number;
  /** Days before this one are reported at cost, without days of no activity; none if absent. */
  readonly valuedFrom?: number;
  /** Marks are read too: see MARKED_FROM. */
  readonly isMarked?: boolean;
};

export type FoldedByKey = FoldedWallet & {
  readonly ledger: ReportedLedger;
  readonly resolutions: ReadonlyMap<string, ReportedResolution>;
  /** The payout of a token whose condition is resolved, else its newest mark up to the last day. */
  readonly markOf: (token: string) => Amount | undefined;
};

/**
 * A wallet's history up to the end of a day, folded from its ledger by key, in steps; undefined if it has none, and
 * while rows are still to be read.
 */
export function* foldedByKey(
  { wallet, asOf, closed, valuedFrom = 0, isMarked = false }: Requested,
  reader: KeyedReader,
): Generator<undefined, FoldedByKey | undefined> {
  const end = (asOf + 1) * DAY;
  const ledger = yield* reportedLedger(wallet, reader, { from: 0, to: end - 1 });
  const [first] = ledger.rows;
  if (first === undefined) return undefined;
  const resolutions = yield* resolutionsOf(ledger, end, reader.rows);
  const marks = marksByKey(reader, { from: closed === undefined ? asOf : valuedFrom, to: asOf });
  if (!reader.isWhole()) {
    // Requests everything the fold may need now: reading takes longest, and the fold runs once.
    if (isMarked) for (const token of ledger.reported.keys()) marks(token);
    return undefined;
  }
  let last = ledger.rows.at(-1)?.at ?? 0;
  for (const { at } of resolutions.values()) if (at > last) last = at;
  const folded = yield* foldedWallet({
    wallet,
    opening: NOTHING_BEFORE,
    rows: ledger.rows,
    resolutions,
    marksOf: closed === undefined ? () => undefined : marks,
    from: dayOf(first.at),
    through: dayOf(Math.max(last, Math.min(asOf, closed ?? 0) * DAY)),
    closed: dayOf((closed ?? 0) * DAY),
    valuedFrom,
  });
  // A position that was sold before the resolution does not hold the payout itself.
  const payoutOf = (token: string): Amount | undefined =>
    resolutions.get(ledger.reported.get(token)?.condition_id ?? "")?.payouts.get(token);
  return { ...folded, ledger, resolutions, markOf: (token) => payoutOf(token) ?? newestBy(marks(token), asOf) };
}

type Days = { readonly from: number; readonly to: number };

/** Marks of tokens from one day to another, each read once. */
function marksByKey({ latest }: KeyedReader, days: Days): (token: string) => Marks | undefined {
  const known = new Map<string, Marks | undefined>();
  return (token) => {
    if (!known.has(token)) known.set(token, readMarks(token, days, latest));
    return known.get(token);
  };
}

/** The newest mark on or before the first day, and all later ones. */
function readMarks(token: string, { from, to }: Days, latest: KeyedReader["latest"]): Marks | undefined {
  const days: number[] = [];
  const marks: number[] = [];
  for (const row of latest(servedTokenDays, "token_id", token, { from: from * DAY, to: to * DAY })) {
    days.push(row.number("day") / DAY);
    marks.push(Number(row.micros("mark")));
  }
  return days.length === 0
    ? undefined
    : { days: Uint16Array.from(days.toReversed()), marks: Float64Array.from(marks.toReversed()) };
}

const newestBy = (marks: Marks | undefined, day: number): number | undefined => marks && newestMark(marks, day);
