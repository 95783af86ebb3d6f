import { useMemo } from "react";
import type { Candle } from "../../charts/candle.ts";
import { useRows } from "../../read/use-rows.ts";
import { candlesOf } from "./candles-of.ts";
import type { useShownRange } from "./use-shown-range.ts";

const CANDLES = 568;
const MOST = 1000;

type CandleRow = Readonly<Record<"open" | "high" | "low" | "close", string | null>> & {
  readonly candle_time: string;
  readonly volume: string;
};

type Price = {
  readonly query: ReturnType<typeof useRows<CandleRow>>;
  readonly candles: readonly Candle[];
  /** Begin of the range, Unix seconds. */
  readonly from: number;
  /** The range has more candles than one page. */
  readonly isCut: boolean;
};

/** The candles of a token in the range that is looked at. */
export function usePrice(tokenId: string, { seconds, stepS, interval }: ReturnType<typeof useShownRange>): Price {
  const limit = Math.min(MOST, Math.ceil(seconds / stepS) + 1);
  const query = useRows<CandleRow>(CANDLES, { token_id: tokenId, interval }, { limit });
  const { data } = query;
  const from = data ? Math.floor(Date.parse(data.timestamp) / 1000) - seconds - stepS : 0;
  const candles = useMemo(
    () =>
      candlesOf(data?.results ?? [], (row) => Date.parse(row.candle_time) / 1000).filter(({ time }) => time >= from),
    [data, from],
  );
  const oldest = data?.results.at(-1)?.candle_time;
  const isCut = data?.pagination.hasMore === true && oldest !== undefined && Date.parse(oldest) / 1000 > from + stepS;
  return { query, candles, from, isCut };
}
