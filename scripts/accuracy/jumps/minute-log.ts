import type {
  BookHappening,
  FillLeg,
  Happening,
  MatchHappening,
} from "../../../packages/exchange/src/world/contract.ts";
import type { InsertRow } from "../../../packages/server/src/definition/table.ts";

type Candle = { close: number; shares: bigint; usd: bigint; trades: number };
type Quote = { bid: number | null; ask: number | null };

const MINUTE = 60_000;
const micro = (value: bigint): string => `${value / 1_000_000n}.${String(value % 1_000_000n).padStart(6, "0")}`;

/** One side of a minute; the last best price fills open, high, low and close, since only the close is used. */
function quoteOf(side: string, price: number | null): InsertRow {
  const text = price === null ? null : (price / 10_000).toFixed(6);
  return Object.fromEntries(["open", "high", "low", "close"].map((part) => [`${side}_${part}`, text]));
}

/** Minutes of a world's standing markets, built live as the service would derive them from fills and books. */
export class MinuteLog {
  private readonly candles = new Map<string, Map<number, Candle>>();
  private readonly quotes = new Map<string, Map<number, Quote>>();
  /** Minute of every match, by condition, in order. */
  readonly matches = new Map<string, number[]>();

  readonly receive = (happening: Happening): void => {
    if (happening.kind === "match") this.match(happening);
    else if (happening.kind === "book") this.book(happening);
  };

  *candleRows(): Generator<InsertRow> {
    for (const [token_id, minutes] of this.candles) {
      for (const [minute, { close, shares, usd, trades }] of minutes) {
        const price = close.toFixed(6);
        const prices = { open: price, high: price, low: price, close: price, price_sum: price };
        yield {
          token_id,
          minute: minute * 60,
          ...prices,
          volume: micro(shares),
          volume_usd: micro(usd),
          trade_count: trades,
        };
      }
    }
  }

  *quoteRows(): Generator<InsertRow> {
    for (const [instrument, minutes] of this.quotes) {
      for (const [minute, { bid, ask }] of minutes) {
        yield { instrument, minute: minute * 60, ...quoteOf("bid", bid), ...quoteOf("ask", ask) };
      }
    }
  }

  private match({ market, taker, makers, block_ms }: MatchHappening): void {
    if (market.event.series !== null) return;
    const minute = Math.floor(block_ms / MINUTE);
    const times = this.matches.get(market.condition_id) ?? [];
    this.matches.set(market.condition_id, times);
    times.push(minute);
    for (const leg of [taker, ...makers.filter(({ kind }) => kind !== "complementary")]) this.trade(leg, minute);
  }

  private trade({ token_id, usd_micro, shares_micro }: FillLeg, minute: number): void {
    const minutes = of(this.candles, token_id);
    const before = minutes.get(minute);
    minutes.set(minute, {
      close: usd_micro / shares_micro,
      shares: (before?.shares ?? 0n) + BigInt(shares_micro),
      usd: (before?.usd ?? 0n) + BigInt(usd_micro),
      trades: (before?.trades ?? 0) + 1,
    });
  }

  private book({ market, token_id, ms, best_bid_e4, best_ask_e4 }: BookHappening): void {
    if (market.event.series !== null) return;
    of(this.quotes, token_id).set(Math.floor(ms / MINUTE), { bid: best_bid_e4, ask: best_ask_e4 });
  }
}

function of<T>(map: Map<string, Map<number, T>>, key: string): Map<number, T> {
  const found = map.get(key) ?? new Map<number, T>();
  map.set(key, found);
  return found;
}

/** Matches per minute of a market in the hour before a timestamp (ms). */
export function matchRate({ matches }: MinuteLog, market: string, ms: number): number {
  const last = Math.floor(ms / MINUTE);
  return (matches.get(market) ?? []).filter((minute) => minute < last && minute >= last - 60).length / 60;
}
