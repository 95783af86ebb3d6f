import type { InsertRow } from "../../definition/table.ts";
import { createPoolGatherer, rankedIn, type Pools } from "./gather-pools.ts";
import { packSamples, type PackedSamples } from "./packed-samples.ts";
import { toSamples, type SampleBytes } from "./read-samples.ts";
import { toScoreRow } from "./to-score-row.ts";

export type DayScorer = {
  /** Takes a slice of the day's wallets. */
  readonly add: (slice: SampleBytes) => void;
  /** Rows of the slice of that number, from 0; no slice is taken any more. */
  readonly rowsOf: (slice: number) => InsertRow[];
};

/** The scores of a day: they are known only after all slices, since each wallet is ranked among all. */
export function createDayScorer(): DayScorer {
  const gatherer = createPoolGatherer();
  const slices: PackedSamples[] = [];
  let pools: Pools | undefined;
  return {
    add: (slice) => {
      const samples = toSamples(slice);
      for (const sample of samples) gatherer.add(sample);
      slices.push(packSamples(samples));
    },
    rowsOf: (slice) => {
      const known = (pools ??= gatherer.close());
      return [...(slices[slice] ?? [])].flatMap((sample) =>
        rankedIn(sample).map((ranked) => toScoreRow(sample, ranked, known)),
      );
    },
  };
}
