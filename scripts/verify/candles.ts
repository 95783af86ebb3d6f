import type { Fill, Source } from "./fills.ts";
import { near, type Row } from "./tally.ts";

type Print = { readonly price: bigint; readonly shares: number; readonly usd: number; readonly at: number };

/** All prints of one token in one interval, in chain order. */
export type Candle = { readonly token_id: string; readonly start: number; readonly prints: Print[] };

/**
 * Candles computed from the ground truth alone: each match counts once per token, by the taker's order; an order that
 * met the taker by minting or merging sets is a print of its own token. Keys are `candleKey`s.
 */
export function candlesOf(fills: readonly Fill[], seconds: number): Map<string, Candle> {
  const candles = new Map<string, Candle>();
  for (const { match, leg } of fills) {
    if (leg.role === "maker" && leg.kind === "complementary") continue;
    const at = match.block_ms / 1000;
    const start = Math.floor(at / seconds) * seconds;
    const key = candleKey(leg.token_id, start);
    const candle = candles.get(key) ?? { token_id: leg.token_id, start, prints: [] };
    candles.set(key, candle);
    candle.prints.push({
      price: sixPlaces(BigInt(leg.usd_micro), BigInt(leg.shares_micro)),
      shares: leg.shares_micro,
      usd: leg.usd_micro,
      at,
    });
  }
  return candles;
}

export const candleKey = (tokenId: string, start: number): string => `${tokenId} ${start}`;
export const candleKeyOf = (row: Row): string =>
  candleKey(String(row["token_id"]), Date.parse(String(row["candle_time"])) / 1000);

export function expectedCandle({ token_id, prints }: Candle, source: Source): Row {
  const prices = prints.map(({ price }) => price);
  const [first, last] = [prints[0], prints.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError("a candle without a print");
  const shares = prints.reduce((sum, print) => sum + print.shares, 0);
  const usd = prints.reduce((sum, print) => sum + print.usd, 0);
  const mean = prices.reduce((sum, price) => sum + Number(price), 0) / prices.length / 1e6;
  const isChain = source === "chain";
  return {
    token_id,
    open: isChain ? text(first.price) : oneOf(prints, first.at),
    high: text(prices.reduce((a, b) => (a > b ? a : b))),
    low: text(prices.reduce((a, b) => (a < b ? a : b))),
    close: isChain ? text(last.price) : oneOf(prints, last.at),
    mean: near(mean, 1.1e-6),
    volume: text(BigInt(shares)),
    volume_usd: isChain ? text(BigInt(usd)) : near(usd / 1e6, 2e-6 * prints.length),
    vwap: near(usd / shares, isChain ? 1.1e-6 : 1e-5),
    trade_count: prints.length,
  };
}

/** The Data API does not report the order of transactions within a second. */
function oneOf(prints: readonly Print[], at: number): (got: unknown) => string | undefined {
  const prices = new Set(prints.filter((print) => print.at === at).map(({ price }) => text(price)));
  return (got) => (prices.has(String(got)) ? undefined : `one of ${[...prices].join(", ")}`);
}

/** usd / shares in millionths, rounded half up. */
function sixPlaces(usd: bigint, shares: bigint): bigint {
  return (usd * 2_000_000n + shares) / (2n * shares);
}

function text(micro: bigint): string {
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`;
}
