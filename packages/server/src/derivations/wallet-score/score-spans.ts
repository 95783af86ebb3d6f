import type { ReadBytes, ReadRows } from "../../definition/day-derivation.ts";
import { dayOfNumber, numberOfDay } from "../../definition/day-of.ts";
import { slicesOf } from "../../definition/slices.ts";
import { eligibleSql, WINDOW_DAYS, type ScoredSpan } from "./eligible-sql.ts";
import type { PackedSlice } from "./pack-slice.ts";
import { readSlice, type SliceBytes } from "./span-sql.ts";

export type ScoreReader = { readonly read: ReadRows; readonly readBytes: ReadBytes; readonly walletsAtOnce: number };
export type Pack = (wallets: readonly string[], bytes: SliceBytes) => Promise<PackedSlice>;

/** A span is no longer: the longer, the less is read twice, but twice only the window before it. */
const MOST_DAYS = 30;
/** What the packed rows of a span may take, and what is allowed for those of a wallet's day: twice the usual. */
const MOST_BYTES = 300_000_000;
const BYTES_A_DAY = 500;

type Span = {
  readonly first: number;
  readonly last: number;
  readonly slices: readonly (readonly string[])[];
  readonly packed: Promise<PackedSlice>[];
};

/**
 * What the days of a run are scored by. Windows of days behind each other overlap, so rows are read once for a span of
 * days and kept until the run goes on behind it: as long a span as fits the memory, at least one day, whose slices are
 * not kept.
 */
export class ScoreSpans {
  /** Days of the run, since 1970, that were not asked for yet. */
  readonly #left: Set<number>;
  #newest: Promise<Span | undefined> = Promise.resolve(undefined);

  constructor(days: readonly string[]) {
    this.#left = new Set(days.map(numberOfDay));
  }

  /** All slices of the wallets that may be ranked on a day of the run. Throws StoreError. */
  async *slicesOf(day: string, reader: ScoreReader, pack: Pack): AsyncGenerator<PackedSlice> {
    const number = numberOfDay(day);
    const held = this.#newest.then((span) =>
      span && number >= span.first && number <= span.last ? span : this.#begin(number, reader),
    );
    this.#newest = held;
    const span = await held;
    this.#left.delete(number);
    for (const [index, wallets] of span.slices.entries()) {
      const read = async (): Promise<PackedSlice> =>
        pack(wallets, await readSlice(textsOf(span), wallets, reader.readBytes));
      yield await (span.first === span.last ? read() : (span.packed[index] ??= read()));
    }
  }

  async #begin(day: number, { read, walletsAtOnce }: ScoreReader): Promise<Span> {
    // Days are worked out beside each other: one before this one may be asked for only later.
    const [earliest = day] = [...this.#left].filter((one) => one > day - MOST_DAYS && one < day).sort((a, b) => a - b);
    const eligible = async (span: Pick<Span, "first" | "last">): Promise<string[]> =>
      (await read<{ address: string }>(eligibleSql(textsOf(span)))).map(({ address }) => address);
    const wide = { first: earliest, last: this.#lastWithin(earliest, MOST_DAYS) };
    const wallets = await eligible(wide);
    const fits = Math.max(1, Math.floor(MOST_BYTES / BYTES_A_DAY / Math.max(1, wallets.length)) - WINDOW_DAYS + 1);
    if (wide.last - wide.first < fits) return { ...wide, slices: slicesOf(wallets, walletsAtOnce), packed: [] };
    const first = day < earliest + fits ? earliest : day;
    const narrow = { first, last: this.#lastWithin(first, fits) };
    return { ...narrow, slices: slicesOf(await eligible(narrow), walletsAtOnce), packed: [] };
  }

  /** The last day of the run among so many. */
  #lastWithin(first: number, days: number): number {
    return Math.max(first, ...[...this.#left].filter((one) => one < first + days));
  }
}

const textsOf = ({ first, last }: Pick<Span, "first" | "last">): ScoredSpan => ({
  first: dayOfNumber(first),
  last: dayOfNumber(last),
});
