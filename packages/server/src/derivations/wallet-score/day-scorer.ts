import type { RowWriter } from "../../definition/row-writer.ts";
import { LEAST_ENTRIES } from "./eligible-sql.ts";
import { createPoolGatherer, type Ranked } from "./gather-pools.ts";
import type { PackedSlice } from "./pack-slice.ts";
import { samplesOf } from "./samples-of-day.ts";
import type { WalletSample } from "./wallet-sample.ts";
import { writeScore } from "./write-score.ts";

type Kept = Pick<WalletSample, "wallet" | "penalty"> & { readonly all: readonly Ranked[] };

/** The scores of a day (since 1970): they are known only after all slices, since each wallet is ranked among all. */
export class DayScorer {
  readonly #gatherer = createPoolGatherer();
  readonly #kept: Kept[] = [];

  /** Takes what some wallets did. */
  add(slice: PackedSlice, day: number): void {
    for (const sample of samplesOf(slice, day, LEAST_ENTRIES))
      this.#kept.push({ wallet: sample.wallet, penalty: sample.penalty, all: this.#gatherer.add(sample) });
  }

  /** Rows of all slices; none is taken any more. */
  write(row: RowWriter, day: number): void {
    const pools = this.#gatherer.close();
    for (const kept of this.#kept) for (const ranked of kept.all) writeScore(row, day, kept, ranked, pools);
  }
}
