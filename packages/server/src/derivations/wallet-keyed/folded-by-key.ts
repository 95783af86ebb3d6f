import { dayOf } from "../../definition/day-of.ts";
import type { Micros } from "../../definition/micros.ts";
import type { KeyedReader, ReadKeyed } from "../../definition/served-keyed.ts";
import { UNKNOWN_OUTCOME } from "../../tables/polymarket-tokens.ts";
import { servedFills } from "../../tables/served-fills.ts";
import { servedMarkets } from "../../tables/served-markets.ts";
import { servedPositionChanges } from "../../tables/served-position-changes.ts";
import { servedResolutions } from "../../tables/served-resolutions.ts";
import { servedTokenDays } from "../../tables/served-token-days.ts";
import { servedTransfers } from "../../tables/served-transfers.ts";
import type { Resolution } from "../wallet/ledger-row.ts";
import { foldedWallet } from "../wallet/collect-wallet.ts";
import type { FoldedWallet } from "../wallet/folded-wallet.ts";
import { newestMark, type Marks } from "../wallet/newest-mark.ts";
import { NOTHING_BEFORE } from "../wallet/wallet-state.ts";
import { ledgerByKey, type LedgerDraft } from "./ledger-by-key.ts";
import { resolutionByKey } from "./resolutions-by-key.ts";

/** Everything that a fold by key reads. */
export const FOLDED_FROM = [
  servedFills,
  servedPositionChanges,
  servedTransfers,
  servedResolutions,
  servedMarkets,
  servedTokenDays,
] as const;

const DAY = 86_400;

type Asked = {
  /** 0x-hex, lower case. */
  readonly wallet: string;
  /** Days since 1970: up to which is folded, and the last one that is over. */
  readonly asOf: number;
  readonly closed: number;
};

export type FoldedByKey = FoldedWallet & {
  /** The newest mark of a token by the last day. */
  readonly markOf: (token: string) => number | undefined;
};

/** A wallet's history up to the end of a day out of its ledger by key; undefined where nothing happened by then. */
export function foldedByKey(
  { wallet, asOf, closed }: Asked,
  { rows: read, tokens }: KeyedReader,
): FoldedByKey | undefined {
  const end = (asOf + 1) * DAY;
  const ledger = ledgerByKey(wallet, read, { from: 0, to: end - 1 });
  const [first] = ledger;
  if (first === undefined) return undefined;
  const resolutions = fillIn(ledger, end, { rows: read, tokens });
  let last = ledger.at(-1)?.at ?? 0;
  for (const { at } of resolutions.values()) if (at > last) last = at;
  const marks = marksByKey({ rows: read, tokens });
  const folded = foldedWallet({
    wallet,
    opening: NOTHING_BEFORE,
    rows: ledger,
    resolutions,
    marksOf: marks,
    from: dayOf(first.at),
    through: dayOf(Math.max(last, Math.min(asOf, closed) * DAY)),
    closed: dayOf(closed * DAY),
  });
  return { ...folded, markOf: (token) => newestBy(marks(token), asOf) };
}

/** Fills in the conditions of a ledger; how those were resolved before `end`. */
function fillIn(ledger: readonly LedgerDraft[], end: number, { rows: read, tokens }: KeyedReader) {
  const told = tokens([...new Set(ledger.map(({ token }) => token))]);
  const outcomes = new Map<string, Map<string, number>>();
  for (const row of ledger) {
    const about = told.get(row.token);
    row.condition = about?.condition_id ?? "";
    if (about === undefined || row.condition === "") continue;
    const known = outcomes.get(row.condition);
    if (known === undefined) outcomes.set(row.condition, new Map([[row.token, about.outcome_index]]));
    else known.set(row.token, about.outcome_index);
  }
  const found = new Map<string, Resolution>();
  for (const [condition, outcomeOf] of outcomes) {
    const paid = resolutionByKey(condition, read);
    if (paid === undefined || paid.at >= end) continue;
    const payouts = new Map<string, Micros>();
    for (const [token, outcome] of outcomeOf)
      if (outcome !== UNKNOWN_OUTCOME) payouts.set(token, paid.payouts[outcome] ?? 0);
    found.set(condition, { ...paid, payouts });
  }
  return found;
}

/** Marks of tokens, each read once. */
function marksByKey({ rows: read }: KeyedReader): (token: string) => Marks | undefined {
  const known = new Map<string, Marks | undefined>();
  return (token) => {
    if (!known.has(token)) known.set(token, readMarks(token, read));
    return known.get(token);
  };
}

function readMarks(token: string, read: ReadKeyed): Marks | undefined {
  const days: number[] = [];
  const marks: number[] = [];
  for (const row of read(servedTokenDays, "token_id", token)) {
    days.push(row.number("day") / DAY);
    marks.push(Number(row.micros("mark")));
  }
  return days.length === 0 ? undefined : { days: Uint16Array.from(days), marks: Int32Array.from(marks) };
}

const newestBy = (marks: Marks | undefined, day: number): number | undefined => marks && newestMark(marks, day);
