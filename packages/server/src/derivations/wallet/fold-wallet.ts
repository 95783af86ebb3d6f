import { applyOperation, realize } from "./apply-operation.ts";
import type { DaySink } from "./day-writers.ts";
import { HeldTokens, type MarksOf } from "./held-tokens.ts";
import type { LedgerRow, Resolution } from "./ledger-row.ts";
import { type Opening, WalletState } from "./wallet-state.ts";
import { addMicros } from "../../definition/micros.ts";
import { atOnce } from "../../definition/pacing.ts";
import { numberOfDay } from "../../definition/day-of.ts";
import { walletDay } from "./wallet-day.ts";

export type WalletFold = {
  /** 0x-hex, lower case. */
  readonly wallet: string;
  /** State left by the days before `from`. */
  readonly opening: Opening;
  /** The wallet's ledger from `from` to `through`, by time, block, log and index. */
  readonly rows: Iterable<LedgerRow>;
  /** By condition (0x-hex): for everything the wallet held or touches. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
  readonly marksOf: MarksOf;
  /** UTC days, YYYY-MM-DD, both inclusive. */
  readonly from: string;
  readonly through: string;
  /** The last completed day: later days have a row only if the wallet was active. */
  readonly closed: string;
  /** Days (since 1970) before this one are reported at cost, without days of no activity. */
  readonly valuedFrom?: number;
};

const DAY_SECONDS = 86_400;

/**
 * Computes a wallet's days from its ledger: profit by average cost and first in first out, holdings, positions won and
 * lost. Exact integers throughout; the same rows give the same days. Formulas: design/analytics.md.
 */
export function foldWallet(fold: WalletFold, into: DaySink): void {
  atOnce(foldInSteps(fold, into));
}

/** The same, yielding after each day. */
export function* foldInSteps(fold: WalletFold, into: DaySink): Generator<undefined, void> {
  const state = new WalletState(fold.opening);
  const held = new HeldTokens(fold.marksOf, state.holdings());
  const source = createSource(fold, state);
  const [last, closed, valued] = [numberOfDay(fold.through), numberOfDay(fold.closed), fold.valuedFrom ?? 0];
  for (let day = numberOfDay(fold.from); day <= last; day += 1) {
    source.applyUntil((day + 1) * DAY_SECONDS);
    reportDay(state, held, into, day);
    if (state.today.length > 0 || (day <= closed && day >= valued && held.isOpen)) {
      const atEnd = day >= valued ? held.at(day) : held.atCost();
      into.walletDay(walletDay(day, state, atEnd), atEnd);
    }
    into.dayOver?.(day, state);
    state.endDay();
    yield;
  }
}

/** Reports the tokens and conditions of a day that ends. */
function reportDay(state: WalletState, held: HeldTokens, into: DaySink, day: number): void {
  for (const sums of state.today) {
    state.realizedTotal = addMicros(state.realizedTotal, sums.realized);
    state.feeTotal = addMicros(state.feeTotal, sums.fee);
    state.cashTotal = addMicros(state.cashTotal, sums.cash);
    held.update(sums.holding);
    into.tokenDay(day, sums);
  }
  if (into.conditionDay === undefined) return;
  for (const [condition, ended] of state.ended) {
    if (condition.startsWith("0x")) into.conditionDay(day, condition, ended);
  }
}

/** Operations of the ledger interleaved with resolutions, in the order of the chain. */
function createSource({ rows, resolutions, from }: WalletFold, state: WalletState) {
  const earliest = Date.parse(from) / 1000;
  const due = [...resolutions]
    .filter(([, { at }]) => at >= earliest)
    .sort(([, a], [, b]) => a.at - b.at || a.block - b.block || a.log - b.log);
  // A token whose condition was resolved before these days is worth its payout from its first share on.
  const settled = new Map([...resolutions].filter(([, { at }]) => at < earliest));
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();
  let place = 0;
  const resolveBefore = (at: number, block: number, log: number): void => {
    for (let first = due[place]; first !== undefined && isBefore(first[1], at, block, log); first = due[place]) {
      place += 1;
      applyResolution(state, ...first);
      settled.set(...first);
    }
  };
  return {
    /** Applies everything that happened before that time (Unix seconds). */
    applyUntil: (end: number): void => {
      while (next.done !== true && next.value.at < end) {
        const operation = [next.value];
        for (next = iterator.next(); next.done !== true && isSame(operation[0], next.value); next = iterator.next())
          operation.push(next.value);
        const [{ at, block, log } = { at: 0, block: 0, log: 0 }] = operation;
        resolveBefore(at, block, log);
        for (const row of operation) knowPayout(state, row, settled.get(row.condition));
        applyOperation(state, operation);
      }
      resolveBefore(end, 0, 0);
    },
  };
}

function knowPayout(state: WalletState, { token, condition, at }: LedgerRow, resolution: Resolution | undefined): void {
  if (resolution === undefined) return;
  if (resolution.isFromCatalogue) state.estimate(state.dayOf(token, condition, at));
  const holding = state.holdingOf(token, condition);
  holding.payout ??= resolution.payouts.get(token);
}

function isBefore(resolution: Resolution, at: number, block: number, log: number): boolean {
  if (resolution.at !== at) return resolution.at < at;
  // The Data API and the catalogue give no block: within a second the trade comes first.
  if (block === 0 || resolution.isFromCatalogue) return false;
  return resolution.block !== block ? resolution.block < block : resolution.log < log;
}

const isSame = (a: LedgerRow | undefined, b: LedgerRow): boolean =>
  a !== undefined && a.tx === b.tx && a.log === b.log && a.at === b.at && isOneFamily(a, b);

/** Rows of a transaction that share a log index by chance (the Data API's) are not one operation. */
const isOneFamily = (a: LedgerRow, b: LedgerRow): boolean =>
  isFill(a) ? isFill(b) && a.sub === b.sub : a.kind === b.kind;

const isFill = ({ kind }: LedgerRow): boolean => kind === "buy" || kind === "sell";

/** A position is lost or won when its condition is resolved, whether or not it is redeemed. */
function applyResolution(state: WalletState, condition: string, resolution: Resolution): void {
  const { at, payouts, isFromCatalogue } = resolution;
  for (const holding of state.tokensOf(condition)) {
    const payout = payouts.get(holding.token);
    if (payout === undefined || holding.payout !== undefined || holding.shares <= 0) continue;
    const { gain, gainFifo } = holding.settle(payout);
    const day = state.dayOf(holding.token, condition, at);
    if (isFromCatalogue) state.estimate(day);
    day.otherEvents += 1;
    day.isSettled = true;
    realize(day, gain, gainFifo);
  }
  state.endIfOver(condition, true);
}
