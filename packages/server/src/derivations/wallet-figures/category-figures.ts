import type { MadeValue } from "../../definition/served-buckets.ts";
import { decimalText, floatText, jsonText } from "../../definition/value-text.ts";
import type { Amount } from "../wallet/folded-wallet.ts";
import { figure, ratio, realOf, roundedReal, sizeOf } from "./amounts.ts";
import { addSums, noSums, type Market, type MarketSums } from "./market-sums.ts";
import { sumOf } from "./statistics.ts";

const APART = " / ";
const NO_CATEGORY = "Other";
const SHARE_PLACES = 4;
const MICRO_PLACES = 6;

type Named = { readonly name: string; readonly sums: MarketSums };

/** A wallet's results by category. `categoryOf`: the path of a condition's category; empty if absent. */
export function categoryFields(
  markets: readonly Market[],
  categoryOf: (condition: string) => string,
): Readonly<Record<string, MadeValue>> {
  const [finest, all] = [new Map<string, MarketSums>(), new Map<string, MarketSums>()];
  for (const market of markets) {
    const path = categoryOf(market.condition) || NO_CATEGORY;
    addSums(sumsOf(finest, path), market);
    for (const above of pathsOf(path)) addSums(sumsOf(all, above), market);
  }
  const best = inOrder(all).filter(({ sums }) => hasAny(sums));
  best.sort((one, other) => compareAmounts(other.sums.pnl, one.sums.pnl));
  return {
    category_diversity_score: figure(entropy(inOrder(finest))),
    performance_by_category: `[${best.map(asJson).join(",")}]`,
  };
}

function sumsOf(byName: Map<string, MarketSums>, name: string): MarketSums {
  let sums = byName.get(name);
  if (sums === undefined) byName.set(name, (sums = noSums()));
  return sums;
}

/** The path "A / B / C" and its parents: "A", "A / B", "A / B / C". */
function pathsOf(path: string): string[] {
  const parts = path.split(APART);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join(APART));
}

/** Sorted by the bytes of their names, as the engine orders texts. */
const inOrder = (byName: ReadonlyMap<string, MarketSums>): Named[] =>
  [...byName]
    .map(([name, sums]) => ({ name, sums }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));

/** The engine omits names whose sums are all 0. */
const hasAny = (sums: MarketSums): boolean => Object.values(sums).some((sum) => sum !== 0 && sum !== 0n);

function compareAmounts(one: Amount, other: Amount): number {
  if (one > other) return 1;
  return one < other ? -1 : 0;
}

/**
 * Entropy in bits of the shares in all gains and losses; null if there are none. Rounding may give less than 0 for one
 * category.
 */
function entropy(finest: readonly Named[]): number | null {
  const moves = finest.map(({ sums }) => realOf(sizeOf(sums.pnl))).filter((move) => move > 0);
  if (moves.length === 0) return null;
  const all = sumOf(moves);
  return Math.max(0, Math.log2(all) - sumOf(moves.map((move) => move * Math.log2(move))) / all);
}

function asJson({ name, sums }: Named): string {
  const { pnl, bought, buys, sells, wins, losses } = sums;
  const roi = ratio(realOf(pnl) * 100, realOf(bought));
  const values = {
    roi: shareText(roi),
    category: jsonText(name),
    win_rate: shareText(ratio(wins, wins + losses)),
    total_pnl: amountText(pnl),
    total_trades: buys + sells,
    losing_trades: losses,
    total_invested: amountText(bought),
    winning_trades: wins,
    total_buy_trades: buys,
    total_sell_trades: sells,
  };
  return `{${Object.entries(values)
    .map(([field, value]) => `"${field}":${value}`)
    .join(",")}}`;
}

const shareText = (share: number | null): string =>
  share === null ? "null" : floatText(roundedReal(share, SHARE_PLACES));

const amountText = (amount: Amount): string => decimalText(BigInt(amount), MICRO_PLACES);
