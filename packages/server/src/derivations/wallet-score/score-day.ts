import type { ReadRows } from "../../definition/day-derivation.ts";
import { sql, type Bound } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";
import { eligibleSql, type WalletSlice } from "./eligible-sql.ts";
import { createPoolGatherer, rankedIn } from "./gather-pools.ts";
import { readSamples } from "./read-samples.ts";
import { toScoreRow } from "./to-score-row.ts";
import type { WalletSample } from "./wallet-sample.ts";

const BYTES = 256;
const WHOLE: WalletSlice = { from: 0, to: BYTES };

/**
 * The rows of wallet_scores of a day, some wallets at a time. About so many wallets are read at once; more are read slice
 * by slice, twice: their pools are known only after all of them. The rows do not hang on how many.
 */
export async function* scoreDay(
  day: Bound,
  read: ReadRows,
  walletsAtOnce: number,
): AsyncGenerator<readonly InsertRow[]> {
  const slices = await sliceUp(day, read, walletsAtOnce);
  const gatherer = createPoolGatherer();
  let kept: readonly WalletSample[] = [];
  for (const slice of slices) {
    kept = await readSamples(day, slice, read);
    for (const sample of kept) gatherer.add(sample);
  }
  const pools = gatherer.close();
  for (const slice of slices) {
    const samples = slices.length === 1 ? kept : await readSamples(day, slice, read);
    yield samples.flatMap((sample) =>
      rankedIn(sample).map((ranked) => toScoreRow(sample, ranked, pools, String(day.value))),
    );
  }
}

async function sliceUp(day: Bound, read: ReadRows, walletsAtOnce: number): Promise<WalletSlice[]> {
  const [row] = await read<{ wallets: string }>(
    sql`SELECT toString(count()) AS wallets FROM (${eligibleSql(day, WHOLE)})`,
  );
  const wanted = Number(row?.wallets ?? 0) / walletsAtOnce;
  const slices = Math.min(BYTES, Math.max(1, 2 ** Math.ceil(Math.log2(wanted))));
  const size = BYTES / slices;
  return Array.from({ length: slices }, (_, index) => ({ from: index * size, to: (index + 1) * size }));
}
