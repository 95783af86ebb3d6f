import { beside } from "../../definition/beside.ts";
import type { ReadRows } from "../../definition/day-derivation.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Bound } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";
import { eligibleSql } from "./eligible-sql.ts";
import { createPoolGatherer, rankedIn, type Pools } from "./gather-pools.ts";
import { readSamples } from "./read-samples.ts";
import { toScoreRow } from "./to-score-row.ts";
import type { WalletSample } from "./wallet-sample.ts";

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
    await beside(addAll(gatherer, kept));
  }
  const pools = gatherer.close();
  for (const slice of slices) {
    const samples = slices.length === 1 ? kept : await readSamples(day, slice, read);
    yield await beside(makeRows(samples, pools, String(day.value)));
  }
}

// A day's rows are seconds of resampling: a service answers and gathers meanwhile.
function* addAll(gatherer: ReturnType<typeof createPoolGatherer>, samples: readonly WalletSample[]): Generator<void> {
  for (const sample of samples) {
    gatherer.add(sample);
    yield;
  }
}

function* makeRows(samples: readonly WalletSample[], pools: Pools, day: string): Generator<void, InsertRow[]> {
  const rows: InsertRow[] = [];
  for (const sample of samples) {
    for (const ranked of rankedIn(sample)) rows.push(toScoreRow(sample, ranked, pools, day));
    yield;
  }
  return rows;
}

async function sliceUp(day: Bound, read: ReadRows, walletsAtOnce: number): Promise<string[][]> {
  const eligible = await read<{ address: string }>(eligibleSql(day));
  return slicesOf(
    eligible.map(({ address }) => address),
    walletsAtOnce,
  );
}
