import type { InsertRow } from "../../definition/table.ts";
import { LEAST_ENTRIES } from "./eligible-sql.ts";
import { createPoolGatherer, type Pools, type Ranked } from "./gather-pools.ts";
import type { PackedSlice } from "./pack-slice.ts";
import { samplesOf } from "./samples-of-day.ts";
import { toScoreRow } from "./to-score-row.ts";
import type { WalletSample } from "./wallet-sample.ts";

export type DayScorer = {
  /** Takes what some wallets did; the day is told since 1970. */
  readonly add: (slice: PackedSlice, day: number) => void;
  /** Rows of the slice of that number, from 0; no slice is taken any more. */
  readonly rowsOf: (slice: number) => InsertRow[];
};

type Kept = Pick<WalletSample, "wallet" | "penalty"> & { readonly all: readonly Ranked[] };

/** The scores of a day: they are known only after all slices, since each wallet is ranked among all. */
export function createDayScorer(): DayScorer {
  const gatherer = createPoolGatherer();
  const slices: Kept[][] = [];
  let pools: Pools | undefined;
  return {
    add: (slice, day) => {
      const kept: Kept[] = [];
      for (const sample of samplesOf(slice, day, LEAST_ENTRIES))
        kept.push({ wallet: sample.wallet, penalty: sample.penalty, all: gatherer.add(sample) });
      slices.push(kept);
    },
    rowsOf: (slice) => {
      const known = (pools ??= gatherer.close());
      return (slices[slice] ?? []).flatMap((kept) => kept.all.map((ranked) => toScoreRow(kept, ranked, known)));
    },
  };
}
