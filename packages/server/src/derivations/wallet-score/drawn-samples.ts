import { beside } from "../../definition/beside.ts";
import { numberOfDay } from "../../definition/day-of.ts";
import type { ReadEngine } from "../../definition/read-engine.ts";
import { packSlice, type PackedSlice } from "./pack-slice.ts";
import { samplesOf } from "./samples-of-day.ts";
import { readSlice } from "./span-sql.ts";
import type { WalletSample } from "./wallet-sample.ts";

export type SampleOf = { readonly day: string; readonly wallet: string };

export const sampleName = ({ day, wallet }: SampleOf): string => `${day} ${wallet}`;

/** The samples of some wallets as of some days, by `sampleName`: those that scores are made of. Throws StoreError. */
export async function readDrawnSamples(
  asked: readonly SampleOf[],
  read: ReadEngine,
): Promise<ReadonlyMap<string, WalletSample>> {
  const days = [...new Set(asked.map(({ day }) => day))].sort();
  const wallets = [...new Set(asked.map(({ wallet }) => wallet))].sort();
  const span = { first: days[0] ?? "", last: days.at(-1) ?? "" };
  const slice = packSlice(wallets, await readSlice(span, wallets, read.bytes, true));
  return beside(samplesByName(slice, days));
}

function* samplesByName(slice: PackedSlice, days: readonly string[]): Generator<void, Map<string, WalletSample>> {
  const found = new Map<string, WalletSample>();
  for (const day of days) {
    for (const sample of samplesOf(slice, numberOfDay(day), 0))
      found.set(sampleName({ day, wallet: sample.wallet }), sample);
    yield;
  }
  return found;
}
