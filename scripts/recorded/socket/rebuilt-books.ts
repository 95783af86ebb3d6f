/**
 * How books rebuilt from changes agree with the whole books that the venue sent later. It sends one when a trade changed
 * the book, and does not tell of the trade's levels by a change: the rebuilt book before it lacks the trade.
 */
export type Rebuilt = {
  compared: number;
  /** Level by level. */
  equal: number;
  /** But for what a trade took from the best levels. */
  traded: number;
  /** And but for orders that the venue told of by a change after the book that holds them. */
  toldLater: number;
  /** After half a minute without a message, where the capture has a hole. */
  afterHole: number;
  other: number;
};

export const newRebuilt = (): Rebuilt => ({ compared: 0, equal: 0, traded: 0, toldLater: 0, afterHole: 0, other: 0 });

export type ChangedLevel = { readonly side: "bids" | "asks"; readonly price: number; readonly size: number };
export type LevelsAt = { readonly ms: number; readonly levels: readonly ChangedLevel[] };
/** A book as `answeredSides` writes it, and its moment. */
export type BookAt = { readonly ms: number; readonly sides: string };

type Side = ReadonlyMap<number, number>;

const HOLE_MS = 30_000;
const TOLD_MS = 60_000;
/** Changes are gathered before they are told: so soon after, the level may have moved on already. */
const TOLD_SOON_MS = 2000;

/** Compares a recorded whole book with the answered book of the event before it; `later` holds the changes after. */
export function compareRebuilt(rebuilt: Rebuilt, before: BookAt, whole: BookAt, later: readonly LevelsAt[]): void {
  rebuilt.compared += 1;
  const [had, has] = [sidesOf(before.sides), sidesOf(whole.sides)];
  const bids = untaken(had.bids, has.bids, -1);
  const asks = untaken(had.asks, has.asks, 1);
  const left: ChangedLevel[] = [
    ...bids.map((price): ChangedLevel => ({ side: "bids", price, size: has.bids.get(price) ?? 0 })),
    ...asks.map((price): ChangedLevel => ({ side: "asks", price, size: has.asks.get(price) ?? 0 })),
  ];
  if (before.sides === whole.sides) rebuilt.equal += 1;
  else if (left.length === 0) rebuilt.traded += 1;
  else if (left.every((level) => isTold(level, whole.ms, later))) rebuilt.toldLater += 1;
  else if (whole.ms - before.ms > HOLE_MS) rebuilt.afterHole += 1;
  else rebuilt.other += 1;
}

function isTold(level: ChangedLevel, ms: number, later: readonly LevelsAt[]): boolean {
  return later.some(
    (change) =>
      change.ms - ms < TOLD_MS &&
      change.levels.some(
        ({ side, price, size }) =>
          side === level.side && price === level.price && (size === level.size || change.ms - ms < TOLD_SOON_MS),
      ),
  );
}

/** Prices that differ, without the best ones that a trade took: gone one after the other, the last of them smaller. */
function untaken(had: Side, has: Side, rising: 1 | -1): readonly number[] {
  const differing = new Set([...had.keys(), ...has.keys()].filter((price) => had.get(price) !== has.get(price)));
  for (const price of [...had.keys()].sort((a, b) => (a - b) * rising)) {
    const rest = has.get(price) ?? 0;
    if (!differing.has(price) || rest >= (had.get(price) ?? 0)) break;
    differing.delete(price);
    if (rest > 0) break;
  }
  return [...differing];
}

function sidesOf(text: string): { bids: Side; asks: Side } {
  const [bids = "", asks = ""] = text.split(" / ");
  return { bids: sideOf(bids), asks: sideOf(asks) };
}

function sideOf(text: string): Side {
  const levels = text === "" ? [] : text.split(" ");
  return new Map(
    levels.map((level): [number, number] => {
      const [price, size] = level.split("@");
      return [Number(price), Number(size)];
    }),
  );
}
