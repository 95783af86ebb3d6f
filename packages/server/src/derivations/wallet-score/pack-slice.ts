import { DayCounts } from "./day-counts.ts";
import { RowReader } from "./row-reader.ts";
import type { SliceBytes } from "./scored-span-sql.ts";
import { COUNTS, PLACE, SUMMED } from "./summed-columns.ts";

/** Rows of a slice's wallets, wallet by wallet: the end of each wallet's rows, and the day (since 1970) of each row. */
type Rows = { readonly ends: Uint32Array; readonly day: Uint16Array };

/**
 * Activity of some wallets on the days that a span's windows cover, in columns: every day of the span makes its samples
 * from them.
 */
export type PackedSlice = {
  readonly wallets: readonly string[];
  /** Category by event number. */
  readonly categories: readonly string[];
  /** By event; the figures of a row are those of SUMMED, with amounts in millionths, whose sums are exact. */
  readonly entries: Rows & { readonly event: Uint32Array; readonly figures: Float64Array; readonly counts: DayCounts };
  /** By market, numbered separately for each wallet; in millionths. */
  readonly profits: Rows & Readonly<Record<"event" | "market", Uint32Array>> & { readonly micros: Float64Array };
  /** By day: mark-to-market profit, and capital. */
  readonly days: Rows & Readonly<Record<"profit" | "capital", Float64Array>>;
  /** By day. */
  readonly patterns: Rows & { readonly pattern: Uint8Array; readonly score: Float64Array };
};

const [WALLET, CONDITION] = [20, 32];
/** Smallest size of a row in bytes, which bounds the number of rows to allocate. */
const LEAST = { entries: 31 + 4 * COUNTS + 8 * (SUMMED.length - COUNTS), profits: 71, days: 62, patterns: 31 } as const;

/** Packs rows of these wallets (0x-hex) as read by `readSlice`. Throws RangeError if the bytes are not such rows. */
export function packSlice(wallets: readonly string[], bytes: SliceBytes): PackedSlice {
  const categories: string[] = [];
  const numbers = new Map<string, number>();
  const eventOf = (row: RowReader): number => {
    const [name, category] = row.keyAndText();
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, categories.length);
    return categories.push(category()) - 1;
  };
  const of = <K extends keyof SliceBytes>(kind: K): Each => eachOf(wallets, bytes[kind], LEAST[kind]);
  return {
    wallets,
    categories,
    entries: packEntries(of("entries"), eventOf),
    profits: packProfits(of("profits"), eventOf),
    days: packDays(of("days")),
    patterns: packPatterns(of("patterns")),
  };
}

type Each = {
  readonly room: number;
  /** Calls `take` for each row after reading its wallet and its day. */
  readonly rows: (take: (from: RowReader, row: number, day: number, isFirst: boolean) => void) => Rows;
};

function eachOf(wallets: readonly string[], bytes: Uint8Array, least: number): Each {
  const addresses = Buffer.from(wallets.map((wallet) => wallet.slice(2)).join(""), "hex");
  const room = Math.floor(bytes.length / least);
  return {
    room,
    rows: (take) => {
      const ends = new Uint32Array(wallets.length);
      const days = new Uint16Array(room);
      const from = new RowReader(bytes);
      let [row, place, isFirst] = [0, 0, true];
      for (; from.isLeft(); row += 1) {
        while (!from.isAt(addresses, place * WALLET, WALLET)) {
          ends[place] = row;
          place += 1;
          isFirst = true;
        }
        from.skip(WALLET);
        const day = from.day();
        days[row] = day;
        take(from, row, day, isFirst);
        isFirst = false;
      }
      ends.fill(row, place);
      return { ends, day: days };
    },
  };
}

type EventOf = (row: RowReader) => number;

function packEntries({ room, rows }: Each, eventOf: EventOf): PackedSlice["entries"] {
  const [event, figures] = [new Uint32Array(room), new Float64Array(room * SUMMED.length)];
  const found = rows((from, row) => {
    event[row] = eventOf(from);
    const at = row * SUMMED.length;
    for (let place = 0; place < SUMMED.length; place += 1)
      figures[at + place] = place < COUNTS ? from.count() : from.micros();
  });
  const counts = new DayCounts(found.ends, found.day, (row) => figures[row * SUMMED.length + PLACE.entries] ?? 0);
  return { ...found, event, figures, counts };
}

function packProfits({ room, rows }: Each, eventOf: EventOf): PackedSlice["profits"] {
  const [event, market, micros] = [new Uint32Array(room), new Uint32Array(room), new Float64Array(room)];
  let [number, before] = [0, 0];
  const found = rows((from, row, _, isFirst) => {
    event[row] = eventOf(from);
    if (isFirst || !from.isAt(from.bytes, before, CONDITION)) number += 1;
    before = from.at;
    market[row] = number;
    from.skip(CONDITION);
    micros[row] = from.micros();
  });
  return { ...found, event, market, micros };
}

/**
 * The daily series as in `dailySeries`: holdings of the day before count at their value if that day has a row, else at
 * their cost according to this one. So a row depends on no window.
 */
function packDays({ room, rows }: Each): PackedSlice["days"] {
  const [profit, capital] = [new Float64Array(room), new Float64Array(room)];
  let before = { day: 0, gain: 0, value: 0 };
  const found = rows((from, row, day, isFirst) => {
    const [realized, gain, value, spent, cost] = [from.real(), from.real(), from.real(), from.real(), from.real()];
    const follows = !isFirst && before.day + 1 === day;
    profit[row] = realized + gain - (follows ? before.gain : 0);
    capital[row] = (follows ? before.value : cost) + spent;
    before = { day, gain, value };
  });
  return { ...found, profit, capital };
}

function packPatterns({ room, rows }: Each): PackedSlice["patterns"] {
  const [pattern, score] = [new Uint8Array(room), new Float64Array(room)];
  const found = rows((from, row) => {
    pattern[row] = from.small();
    score[row] = from.real();
  });
  return { ...found, pattern, score };
}
