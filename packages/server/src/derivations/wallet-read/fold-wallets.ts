import { dayAfter, dayOf, dayOfNumber, numberOfDay } from "../../definition/day-of.ts";
import type { Day, Folded, FoldedKey, FoldReader, FoldSlice, Kept } from "../../definition/fold.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { createDayWriters } from "../wallet/day-writers.ts";
import { foldWallet } from "../wallet/fold-wallet.ts";
import type { Resolution } from "../wallet/ledger-row.ts";
import { openingPacker, unpackOpening } from "../wallet/wallet-checkpoint.ts";
import { NOTHING_BEFORE, type Opening, type WalletState } from "../wallet/wallet-state.ts";
import { readLedger, readTokens, type Ledger, type OwnLedger } from "./read-ledger.ts";
import { sql, type Sql } from "../../definition/sql.ts";
import { tokenDays } from "../../tables/token-days.ts";
import type { MarksOf, Marks } from "../wallet/held-tokens.ts";
import { CONDITION, knownOnce, tabRows, TOKEN } from "./known-once.ts";
import { wholeMicrosOf } from "../../definition/micros.ts";
import { hexOf } from "../../definition/filter.ts";
import { UNKNOWN_OUTCOME } from "../../tables/polymarket-tokens.ts";
import { resolutionsSql } from "../market-facts-sql.ts";
import type { Amount } from "../wallet/folded-wallet.ts";

/** Resolution of a condition, with the payout of a share of each outcome. */
type Paid = Omit<Resolution, "payouts"> & { readonly paid: readonly Amount[] };

/** Payouts of conditions (0x-hex), as in resolutionsSql; without unresolved ones. */
function readPaid(read: FoldReader, conditions: Iterable<string>): Promise<ReadonlyMap<string, Paid | undefined>> {
  const find = async (chosen: Sql): Promise<ReadonlyMap<string, Paid>> => {
    const bytes = await read.bytes(
      sql`SELECT ${hexOf(sql`condition_id`)}, toUnixTimestamp(ts), block_number, log_index, toUInt8(is_from_catalogue), arrayStringConcat(arrayMap(payout -> toString(reinterpretAsInt64(payout)), payouts), ',') FROM ${resolutionsSql({ chosen })}`,
      "TSV",
    );
    const found = new Map<string, Paid>();
    for (const [condition = "", at, block, log, isFromCatalogue, paid = ""] of tabRows(bytes)) {
      const place = { at: Number(at), block: Number(block), log: Number(log) };
      found.set(condition, {
        ...place,
        isFromCatalogue: isFromCatalogue === "1",
        paid: paid.split(",").map(wholeMicrosOf),
      });
    }
    return found;
  };
  return knownOnce(read, { name: "resolutions", kind: CONDITION, column: "condition_id", find }, conditions);
}

/** Resolutions of these conditions, with the payouts of these tokens (each with its condition, if known). */
async function readResolutions(
  read: FoldReader,
  conditions: ReadonlySet<string>,
  tokens: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Resolution>> {
  const known = await readPaid(read, conditions);
  const found = new Map<string, Paid & { readonly payouts: Map<string, Amount> }>();
  for (const condition of conditions) {
    const paid = known.get(condition);
    if (paid !== undefined) found.set(condition, { ...paid, payouts: new Map() });
  }
  // Few of the held tokens are resolved so far.
  const paidTokens = [...tokens].filter(([, condition]) => found.has(condition)).map(([token]) => token);
  const facts = await readTokens(read, paidTokens);
  for (const token of paidTokens) {
    const { condition = "", outcome = UNKNOWN_OUTCOME } = facts.get(token) ?? {};
    const resolution = found.get(condition);
    if (outcome !== UNKNOWN_OUTCOME) resolution?.payouts.set(token, resolution.paid[outcome] ?? 0);
  }
  return found;
}

type Own = OwnLedger & { readonly wallet: string; readonly opening: Opening };

const DAY_SECONDS = 86_400;

/** Reads the inputs for a slice of wallets and folds each of them. */
export async function foldWallets(read: FoldReader, slice: FoldSlice, kept: Kept): Promise<Folded> {
  const { keys, from, to, closed } = slice;
  const ledger = await readLedger(read, keys, from, to);
  const openings = readOpenings(keys, from, kept);
  const { marked, conditions } = named(ledger, openings);
  const [resolved, marksOf] = await Promise.all([
    readResolutions(read, conditions, marked),
    readMarks(read, marked.keys()),
  ]);
  const into = createDayWriters();
  const pack = openingPacker(kept);
  const folded: FoldedKey[] = [];
  // In the order of the table, which saves the engine some sorting.
  for (const wallet of keys.toSorted()) {
    const own = { wallet, opening: openings.get(wallet) ?? NOTHING_BEFORE, ...ledger.of(wallet) };
    const resolutions = resolutionsOf(own, resolved, to);
    const last = lastTimestamp(own, resolutions);
    const through = lastDay(last, slice);
    const begins = beginsOn(own, from);
    const keeping = keepStates(to ?? closed, pack);
    const sink = { ...into.of(wallet), dayOver: keeping.dayOver };
    if (begins !== undefined) foldWallet({ ...own, resolutions, marksOf, from: begins, through, closed }, sink);
    const lastEvent = last === 0 ? dayAfter(from, -1) : dayOf(last);
    folded.push({ key: wallet, lastDay: lastEvent, eventsSince: keeping.events(), checkpoints: keeping.kept });
  }
  const rows = [
    { table: walletTokenDays, rows: into.tokenDays.packed() },
    { table: walletDays, rows: into.walletDays.packed() },
  ];
  return { rows, keys: folded };
}

/** The first day to compute: a wallet without earlier holdings begins at its first row; undefined if it has none. */
function beginsOn({ opening, rows }: Own, from: Day): Day | undefined {
  if (opening !== NOTHING_BEFORE) return from;
  const first = rows[0] && dayOf(rows[0].at);
  return first !== undefined && first < from ? from : first;
}

/** Days before the last one: a late row causes at most four times its days to be recomputed. */
const KEPT_BEFORE = new Set([0, 1, 3, 15, 63, 255, 1023]);

/** Keeps the state at the end of a day, and of some earlier days. */
function keepStates(at: Day, pack: (opening: Opening) => Buffer) {
  const kept: { day: Day; state: Buffer }[] = [];
  const last = numberOfDay(at);
  let events = 0;
  let newest: Buffer | undefined;
  return {
    kept,
    events: () => events,
    dayOver: (day: number, state: WalletState): void => {
      for (const { buys, sells, otherEvents } of state.today) events += buys + sells + otherEvents;
      if (state.today.length > 0 || state.ended.size > 0) newest = undefined;
      if (!KEPT_BEFORE.has(last - day)) return;
      events = 0;
      newest ??= pack(state.opening());
      kept.push({ day: dayOfNumber(day), state: newest });
    },
  };
}

function readOpenings(keys: readonly string[], from: Day, kept: Kept): ReadonlyMap<string, Opening> {
  const openings = new Map<string, Opening>();
  for (const key of keys) {
    const state = kept.before(key, from);
    if (state !== undefined) openings.set(key, unpackOpening(state, kept));
  }
  return openings;
}

/**
 * The tokens and conditions of the ledger, and of earlier holdings that are unresolved: a resolved token counts at its
 * payout from then on, and most held shares are lost ones.
 */
function named(ledger: Ledger, openings: ReadonlyMap<string, Opening>) {
  const marked = new Map(ledger.tokens.map(({ token, condition }) => [token, condition]));
  const conditions = new Set(ledger.conditions);
  for (const opening of openings.values()) {
    for (const { token, condition } of unresolved(opening)) {
      if (!marked.get(token)) marked.set(token, condition);
      if (condition !== "") conditions.add(condition);
    }
  }
  return { marked, conditions };
}

const unresolved = ({ tokens }: Opening): Opening["tokens"] => tokens.filter(({ payout }) => payout === undefined);

function resolutionsOf(
  { opening, conditions }: Own,
  resolved: ReadonlyMap<string, Resolution>,
  to: Day | undefined,
): ReadonlyMap<string, Resolution> {
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) / 1000 + DAY_SECONDS;
  const found = new Map<string, Resolution>();
  for (const condition of [...unresolved(opening).map((token) => token.condition), ...conditions]) {
    const one = resolved.get(condition);
    if (one !== undefined && one.at < end) found.set(condition, one);
  }
  return found;
}

/** Time of the last event, Unix seconds; 0 if there is none. */
function lastTimestamp({ rows }: Own, resolutions: ReadonlyMap<string, Resolution>): number {
  let last = rows.at(-1)?.at ?? 0;
  for (const { at } of resolutions.values()) if (at > last) last = at;
  return last;
}

/** The last completed day, or the last one with an event. */
function lastDay(last: number, { closed, to }: FoldSlice): Day {
  const over = to !== undefined && to < closed ? to : closed;
  const day = dayOf(last);
  return day > over ? day : over;
}

/** The marks of any of these tokens. */
async function readMarks(read: FoldReader, tokens: Iterable<string>): Promise<MarksOf> {
  const find = async (chosen: Sql): Promise<ReadonlyMap<string, Marks>> => {
    const bytes = await read.bytes(
      sql`SELECT token_id, arrayStringConcat(groupArray(toString(toUInt16(day))), ','), arrayStringConcat(groupArray(toString(reinterpretAsInt64(mark))), ',') FROM (SELECT token_id, day, argMax(mark, version) AS mark FROM ${tokenDays} WHERE ${chosen} GROUP BY token_id, day ORDER BY token_id, day) GROUP BY token_id`,
      "TSV",
    );
    const found = new Map<string, Marks>();
    for (const [token = "", days = "", marks = ""] of tabRows(bytes)) {
      found.set(token, {
        days: Uint16Array.from(days.split(","), Number),
        marks: Float64Array.from(marks.split(","), Number),
      });
    }
    return found;
  };
  const known = await knownOnce(read, { name: "marks", kind: TOKEN, column: "token_id", find }, tokens);
  return (token) => known.get(token);
}
