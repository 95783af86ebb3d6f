import { useMemo, useState, type ReactElement } from "react";
import { CoverageNote } from "../../read/answer-notes.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRequested } from "../../read/use-requested.ts";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { Former } from "../../ui/former.tsx";
import { HappeningsList } from "./happenings-list.tsx";
import { marksOf, happeningsOf, type Happening, type JumpRow, type PostRow } from "./happenings.ts";
import { IntervalChoice, RangeChoice, useShownRange } from "./shown-range.tsx";
import { PriceView } from "./price-view.tsx";
import type { Coverage } from "@almanac/client";
import { useRows } from "../../read/dataset-queries.ts";
import type { Candle } from "../../charts/candles.ts";
import { candlesOf } from "./candles-of.ts";

const CANDLES = 568;
const MOST = 1000;

type CandleRow = Readonly<Record<"open" | "high" | "low" | "close", string | null>> & {
  readonly candle_time: string;
  readonly volume: string;
};

type Price = {
  readonly query: ReturnType<typeof useRows<CandleRow>>;
  readonly candles: readonly Candle[];
  /** Start of the range, Unix seconds. */
  readonly from: number;
  /** The range has more candles than one page. */
  readonly isCut: boolean;
};

/** The candles of a token in the shown range. */
function usePrice(tokenId: string, { seconds, stepS, interval }: ReturnType<typeof useShownRange>): Price {
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

const [JUMPS, PULSE] = [596, 585];
const [MAX_JUMPS, MAX_POSTS] = [100, 200];
const JUMP_BUCKETS = new Set(["1m", "5m", "15m", "1h", "4h", "1d"]);

type Requested = {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly minPct: string;
  readonly from: number;
};

type Happenings = {
  readonly all: readonly Happening[];
  readonly errors: readonly Error[];
  readonly isPending: boolean;
  /** Some belong to the previous range or minimum. */
  readonly isFormer: boolean;
  readonly coverages: readonly Coverage[];
  /** Explains in words what is missing from the range because a page was full. */
  readonly cuts: readonly string[];
};

/** Price jumps of a token and posts about its market, in the shown range. */
function useHappenings(requested: Requested, { seconds, interval }: ReturnType<typeof useShownRange>): Happenings {
  const { conditionId, tokenId, minPct, from } = requested;
  const hours = String(seconds / 3600);
  const resolution = JUMP_BUCKETS.has(interval) ? interval : "1d";
  const jumps = useRows<JumpRow>(
    JUMPS,
    { token_id: tokenId, resolution, lookback_hours: hours, min_change_pct: minPct },
    { limit: MAX_JUMPS },
  );
  const posts = useRows<PostRow>(PULSE, { condition_id: conditionId, hours_back: hours }, { limit: MAX_POSTS });
  const all = useMemo(
    () => happeningsOf(jumps.data?.results ?? [], posts.data?.results ?? [], from),
    [jumps.data, posts.data, from],
  );
  return {
    all,
    errors: [jumps.error, posts.error].filter((error) => error !== null),
    isPending: jumps.isPending || posts.isPending,
    isFormer: jumps.isPlaceholderData || posts.isPlaceholderData,
    coverages: [jumps.data?.coverage, posts.data?.coverage].filter((one) => one !== undefined),
    cuts: [
      ...(jumps.data?.pagination.hasMore
        ? [`The newest ${jumps.data.results.length} jumps; choose a larger minimum to see all.`]
        : []),
      ...(posts.data?.pagination.hasMore
        ? [`The newest ${posts.data.results.length} posts; choose a shorter range to see all.`]
        : []),
    ],
  };
}

const INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d", "1w"];
const MIN_CHANGES = ["2", "5", "10", "25"];

type Props = { readonly conditionId: string; readonly tokenId: string; readonly outcome: string };

/** The price of an outcome as candles, with the jumps and posts of the range marked and listed. */
export function PriceCard({ conditionId, tokenId, outcome }: Props): ReactElement {
  const shown = useShownRange(INTERVALS);
  const [minPct, chooseLeast] = useRequested("jump", "10", MIN_CHANGES);
  const [active, setActive] = useState<string | null>(null);
  const price = usePrice(tokenId, shown);
  const happenings = useHappenings({ conditionId, tokenId, minPct, from: price.from }, shown);
  const marks = useMemo(() => marksOf(happenings.all), [happenings.all]);

  return (
    <Card
      title={`Price of ${outcome}`}
      about="Candles from fills, with volume in shares; ▲▼ price jumps, ● posts about the market."
      aside={<RangeChoice range={shown.range} onRange={shown.chooseRange} />}
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-[13px]">
        <IntervalChoice intervals={INTERVALS} interval={shown.interval} onInterval={shown.chooseInterval} />
        <span className="flex items-center gap-2">
          Jumps from
          <ChoiceRow
            label="Minimum change of a jump in percent"
            value={minPct}
            choices={MIN_CHANGES.map((value) => ({ value, label: `${value} %` }))}
            onChange={chooseLeast}
          />
        </span>
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <ShownRows query={price.query} none="No trades yet.">
          {() => (
            <PriceView
              title={`${outcome}, ${shown.interval}`}
              {...price}
              stepS={shown.stepS}
              marks={marks}
              active={active}
            />
          )}
        </ShownRows>
        <div className="min-w-0">
          {happenings.errors.map((error) => (
            <ErrorNote key={error.message} error={error} />
          ))}
          {happenings.isPending ? <Spinner /> : null}
          {happenings.all.length > 0 || (happenings.coverages.length > 0 && !happenings.isPending) ? (
            <Former isFormer={happenings.isFormer}>
              <HappeningsList happenings={happenings.all} cuts={happenings.cuts} active={active} onActive={setActive} />
            </Former>
          ) : null}
          {happenings.coverages.map((coverage, index) => (
            <CoverageNote key={index === 0 ? "jumps" : "posts"} coverage={coverage} />
          ))}
        </div>
      </div>
    </Card>
  );
}
