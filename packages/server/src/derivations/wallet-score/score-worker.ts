import { parentPort } from "node:worker_threads";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import { packSlice, type PackedSlice } from "./pack-slice.ts";
import { type SliceBytes, MIN_ENTRIES } from "./scored-span-sql.ts";
import { createPoolGatherer, type Ranked } from "./gather-pools.ts";
import { samplesOf } from "./samples-of-day.ts";
import type { WalletSample } from "./measures.ts";
import { writeScore } from "./write-score.ts";

type Kept = Pick<WalletSample, "wallet" | "penalty"> & { readonly all: readonly Ranked[] };

/**
 * Computes the scores of a day (since 1970): they are known only after all slices, because each wallet is ranked among
 * all.
 */
class DayScorer {
  readonly #gatherer = createPoolGatherer();
  readonly #kept: Kept[] = [];

  /** Adds the activity of some wallets. */
  add(slice: PackedSlice, day: number): void {
    for (const sample of samplesOf(slice, day, MIN_ENTRIES))
      this.#kept.push({ wallet: sample.wallet, penalty: sample.penalty, all: this.#gatherer.add(sample) });
  }

  /** Writes the rows of all slices; no slice can be added after that. */
  write(row: RowWriter, day: number): void {
    const pools = this.#gatherer.close();
    for (const kept of this.#kept) for (const ranked of kept.all) writeScore(row, day, kept, ranked, pools);
  }
}

/** Requests to the thread, one at a time; it answers each with the rows that are ready. */
export type Requested =
  /** Stores the activity of some wallets. */
  | { readonly pack: SliceBytes; readonly wallets: readonly string[] }
  /** Adds the stored activity to the scores of a day (since 1970), and releases it after the last day. */
  | { readonly add: number; readonly isLast: boolean }
  /** Writes the scores of the day that was added. */
  | { readonly rowsOf: number }
  /** Returns the remaining rows. */
  | "end";

const ROWS_AT_ONCE = 50_000;

let held: PackedSlice[] = [];
let scorer = new DayScorer();
let row = new RowWriter();

parentPort?.on("message", (requested: Requested) => {
  const rows = answerTo(requested);
  parentPort?.postMessage(
    rows,
    rows.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
});

function answerTo(requested: Requested): PackedRows[] {
  if (requested === "end") return row.written > 0 ? [written()] : [];
  if ("pack" in requested) held.push(packSlice(requested.wallets, requested.pack));
  else if ("add" in requested) {
    for (const slice of held) scorer.add(slice, requested.add);
    if (requested.isLast) held = [];
  } else {
    scorer.write(row, requested.rowsOf);
    scorer = new DayScorer();
    if (row.written >= ROWS_AT_ONCE) return [written()];
  }
  return [];
}

function written(): PackedRows {
  const rows = row.packed();
  row = new RowWriter();
  return rows;
}
