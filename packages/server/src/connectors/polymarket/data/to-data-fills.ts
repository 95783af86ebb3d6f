import type { TableRows } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { polymarketFills } from "../../../tables/polymarket-fills.ts";
import { polymarketTokens, UNKNOWN_OUTCOME } from "../../../tables/polymarket-tokens.ts";
import { derivedOrderHash } from "../../../definition/derived-order-hash.ts";
import { isoSeconds, productMicro, toMicro } from "../exact/values.ts";
import { microText } from "../../../definition/value-text.ts";
import { type DataTrade, fillKey } from "./trades-v2-wire.ts";
import { makerKind, takerKind, type MatchKind } from "../chain/fill-legs.ts";

/**
 * The taker-only feed, read alongside the full one and no further than needed, to distinguish takers from makers: its
 * rows are exactly the takers' fills (reference/polymarket.md §5.3).
 */
export class TakerRows {
  readonly #pages: AsyncIterator<readonly DataTrade[]>;
  readonly #counts = new Map<number, Map<string, number>>();
  #oldest: number | undefined;
  #isAtEnd = false;

  constructor(pages: AsyncIterable<readonly DataTrade[]>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** The newest second up to `until` that was read and not forgotten. */
  newestUntil(until: number): number | undefined {
    const seconds = [...this.#counts.keys()].filter((second) => second <= until);
    return seconds.length === 0 ? undefined : Math.max(...seconds);
  }

  /** Reads on until every taker of `seconds` and later is known, as far as the feed goes. */
  async readTo(seconds: number): Promise<void> {
    while (!this.#isAtEnd && (this.#oldest === undefined || this.#oldest >= seconds)) {
      const next = await this.#pages.next();
      if (next.done === true) this.#isAtEnd = true;
      else for (const row of next.value) this.#note(row);
    }
  }

  /** The role of a row of the full feed; every taker row is matched once. */
  roleOf(trade: DataTrade): "maker" | "taker" {
    const second = this.#counts.get(trade.seconds);
    const key = fillKey(trade);
    const count = second?.get(key) ?? 0;
    if (count === 0) return "maker";
    second?.set(key, count - 1);
    return "taker";
  }

  /** Forgets completed seconds. */
  forget(from: number): void {
    for (const second of this.#counts.keys()) if (second >= from) this.#counts.delete(second);
  }

  #note(row: DataTrade): void {
    this.#oldest = Math.min(this.#oldest ?? Infinity, row.seconds);
    const second = this.#counts.get(row.seconds) ?? new Map<string, number>();
    second.set(fillKey(row), (second.get(fillKey(row)) ?? 0) + 1);
    this.#counts.set(row.seconds, second);
  }
}

type Role = "maker" | "taker" | "unknown";
type Leg = {
  readonly trade: Pick<DataTrade, "tx_hash" | "condition_id" | "token_id" | "side">;
  readonly role: Role;
};

/**
 * How each leg (of complete transactions) met its counterpart, as the chain would report it: a maker's leg by the
 * taker's leg of its transaction and market; unknown if there is none or several disagree.
 */
function matchKinds(legs: readonly Leg[]): MatchKind[] {
  const takers = groupBy(legs.filter(({ role }) => role === "taker"));
  const makers = groupBy(legs.filter(({ role }) => role === "maker"));
  const ofMaker = (maker: Leg): MatchKind => {
    const kinds = new Set((takers.get(keyOf(maker)) ?? []).map((taker) => makerKind(toTraded(maker), toTraded(taker))));
    const [kind] = kinds;
    return kind !== undefined && kinds.size === 1 ? kind : "unknown";
  };
  return legs.map((leg) => {
    if (leg.role === "maker") return ofMaker(leg);
    if (leg.role === "unknown" || takers.get(keyOf(leg))?.length !== 1) return "unknown";
    return takerKind((makers.get(keyOf(leg)) ?? []).map(ofMaker));
  });
}

const toTraded = ({ trade }: Leg) => ({ side: trade.side, tokenId: trade.token_id });
const keyOf = ({ trade }: Leg): string => `${trade.tx_hash} ${trade.condition_id}`;

function groupBy(legs: readonly Leg[]): Map<string, Leg[]> {
  const groups = new Map<string, Leg[]>();
  for (const leg of legs) {
    const group = groups.get(keyOf(leg));
    if (group === undefined) groups.set(keyOf(leg), [leg]);
    else group.push(leg);
  }
  return groups;
}

/**
 * Rows of polymarket_fills and, if absent, polymarket_tokens. `trades` must contain complete seconds, so that every
 * transaction is complete: identical fills in it are distinguished by their number. `usd` is price × size, which is off
 * by up to 5e-11 USD a share where upstream rounded an average price to ten digits. The feed has no fee and no block
 * number: both are 0. Match kinds are derived from a transaction's legs.
 */
export function toDataFills(trades: readonly DataTrade[], roleOf: (trade: DataTrade) => Role): readonly TableRows[] {
  const occurrences = new Map<string, number>();
  const places = new Map<string, number>();
  const fills: InsertRow[] = [];
  const legs = trades
    .toSorted((a, b) => Number(a.price) - Number(b.price))
    .map((trade) => ({ trade, role: roleOf(trade) }));
  const kinds = matchKinds(legs);
  for (const [index, { trade, role }] of legs.entries()) {
    const sharesMicro = toMicro(trade.size);
    const occurrence = countUp(occurrences, fillKey(trade));
    const { tx_hash, wallet, token_id, side } = trade;
    fills.push({
      ts: isoSeconds(trade.seconds),
      tx_hash,
      order_hash: derivedOrderHash({ tx_hash, wallet, token_id, side, sharesMicro, occurrence }),
      wallet,
      token_id,
      side,
      role,
      match_kind: kinds[index],
      shares: microText(sharesMicro),
      usd: microText(productMicro(trade.price, trade.size)),
      fee_usd: "0",
      block_number: 0,
      log_index: countUp(places, tx_hash),
      source: "data_api_v2",
      alike_number: 0,
    });
  }
  return [
    { table: polymarketFills, rows: fills },
    { table: polymarketTokens, rows: tokenRows(trades), mode: "if_absent" },
  ];
}

/**
 * The roles of complete transactions' fills. Every transaction has a taker's fill: one without was read only in part,
 * from either feed; it is among `lacking` and its roles are unknown.
 */
export function readRoles(trades: readonly DataTrade[], roleOf: (trade: DataTrade) => Role) {
  const sorted = trades.toSorted((a, b) => (a.price === b.price ? 0 : a.price < b.price ? -1 : 1));
  const roles = new Map(sorted.map((trade): [DataTrade, Role] => [trade, roleOf(trade)]));
  const whole = new Set([...roles].filter(([, role]) => role !== "maker").map(([{ tx_hash }]) => tx_hash));
  const lacking = new Set(trades.map(({ tx_hash }) => tx_hash).filter((txHash) => !whole.has(txHash)));
  return {
    lacking,
    roleOf: (trade: DataTrade): Role => (lacking.has(trade.tx_hash) ? "unknown" : (roles.get(trade) ?? "unknown")),
  };
}

/** How often the key was counted before this call. */
function countUp(counts: Map<string, number>, key: string): number {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}

/** Rows of polymarket_tokens: market facts of the traded tokens. */
export function tokenRows(trades: readonly DataTrade[]): InsertRow[] {
  const byToken = new Map(trades.map((trade) => [trade.token_id, trade]));
  return [...byToken.values()].map(({ token_id, condition_id, outcome_index, outcome, slug }) => ({
    token_id,
    condition_id,
    outcome_index: outcome_index ?? UNKNOWN_OUTCOME,
    outcome,
    slug,
  }));
}
