import { join } from "node:path";
import { dayAfter, dayOfNumber, numberOfDay } from "../../definition/day-of.ts";
import type { Day, Fold, FoldedKey, Kept, Touched } from "../../definition/fold.ts";
import { DICTIONARY } from "../../ordered/dictionary.ts";
import type { OrderedStore } from "../../ordered/ordered-store.ts";
import { openCheckpointFile } from "./checkpoint-file.ts";

/** Folding a key from this day on is folding it from scratch. */
export const FIRST_DAY: Day = "1970-01-01";

/**
 * A fold's state per key at the end of some days, so that later days are folded from there. It is a cache of the
 * ledger: if lost or in doubt it is emptied, and keys are folded from scratch.
 */
export type Checkpoints = Kept & {
  /**
   * Empties itself unless it was left at this watermark of the records, by this form of the fold: otherwise another
   * process continued from there, or the kept states have another meaning.
   */
  readonly keepIfLeftAt: (through: Date) => void;
  /** Records the watermark at which the kept states are left. */
  readonly leaveAt: (through: Date) => void;
  /** Everything is folded from here on: an unknown key has no rows before its touched day. */
  readonly beginWhole: () => void;
  /** The days from which touched keys are to be folded: as touched, or after the newest earlier checkpoint. */
  readonly startOf: (touched: Touched) => Touched;
  /** Number of events of a key from a day on when last folded; undefined if only the ledger knows. */
  readonly eventsFrom: (key: string, day: Day) => number | undefined;
  /** Keys were folded from a day on: checkpoints of later days are replaced. */
  readonly save: (from: Day, folded: readonly FoldedKey[]) => void;
  readonly close: () => void;
};

const LAST_DAY: Day = "2149-06-05";

const KEPT = "checkpoints";
const KNOWN = "known";
const META = "meta";
const LEFT_AT = Buffer.from("left at");
const WHOLE = Buffer.from("whole");
const TREES = [KEPT, KNOWN, META, DICTIONARY];
/** Maximum checkpoints per key: one is kept for each power of four of days. */
const MAX_PER_KEY = 64;

/** Uses a file that is created on first use; memory if none is named. */
export function openCheckpoints({ form }: Pick<Fold, "form">, file?: string): Checkpoints {
  const { open, noting, giveUpDamaged, empty, close } = openCheckpointFile(TREES, file);
  const markOf = (through: Date): string => `${form} ${through.toISOString()}`;
  return {
    numberOf: (id) => noting(() => open().ids.numberOf(id)),
    idOf: (number) => noting(() => open().ids.tokenOf(number)),
    keepIfLeftAt: (through) => {
      giveUpDamaged();
      const left = noting(() => open().store.get(META, LEFT_AT)?.toString());
      if (left !== markOf(through)) empty();
    },
    leaveAt: (through) => open().store.put(META, LEFT_AT, Buffer.from(markOf(through))),
    beginWhole: () => {
      empty();
      open().store.put(META, WHOLE, Buffer.from("1"));
    },
    startOf: (touched) => {
      giveUpDamaged();
      const starts = noting(() => {
        const { store } = open();
        const isWhole = store.get(META, WHOLE) !== undefined;
        return new Map(Array.from(touched, ([key, day]) => [key, startOf(store, key, day, isWhole)]));
      });
      // Keys without earlier rows may start together: keys of one slice share one first day.
      let earliest: Day | undefined;
      for (const [key, day] of touched) if (starts.get(key) === undefined) earliest = earlierOf(earliest ?? day, day);
      return new Map(Array.from(starts, ([key, day]) => [key, day ?? earliest ?? FIRST_DAY]));
    },
    eventsFrom: (key, day) => {
      const { store } = open();
      const [known, kept] = noting(() => [store.get(KNOWN, bytesOf(key)), newest(store, key, LAST_DAY)]);
      return known === undefined || (kept !== undefined && kept.day >= day) ? undefined : known.readUInt32BE(4);
    },
    before: (key, day) => noting(() => newest(open().store, key, day)?.state),
    save: (from, folded) => {
      const { store, ids } = open();
      noting(() =>
        store.transaction(() => {
          for (const one of folded) saveKey(store, from, one);
          ids.save();
        }),
      );
      ids.saved();
    },
    close,
  };
}

export type CheckpointFolder = { readonly of: (fold: Fold) => Checkpoints; readonly close: () => void };

/** Checkpoints of each fold in a file of a folder; in memory if absent. */
export function openCheckpointFolder(folder?: string): CheckpointFolder {
  const opened = new Map<string, Checkpoints>();
  return {
    of: (fold) => {
      const known = opened.get(fold.name);
      if (known !== undefined) return known;
      const made = openCheckpoints(fold, folder && join(folder, `${fold.name}.sqlite`));
      opened.set(fold.name, made);
      return made;
    },
    close: () => {
      for (const one of opened.values()) one.close();
    },
  };
}

/** Undefined if there is nothing before the day. */
function startOf(store: OrderedStore, key: string, day: Day, isWhole: boolean): Day | undefined {
  const known = store.get(KNOWN, bytesOf(key));
  if (known === undefined) return isWhole ? undefined : FIRST_DAY;
  const [first, last] = [dayAt(known, 0), dayAt(known, 2)];
  const kept = newest(store, key, day);
  if (kept === undefined) return isWhole ? earlierOf(first, day) : FIRST_DAY;
  return last <= kept.day ? day : dayAfter(kept.day);
}

/** The newest checkpoint of a key before a day. */
function newest(store: OrderedStore, key: string, day: Day): { readonly day: Day; readonly state: Buffer } | undefined {
  const [found] = store.down(KEPT, placeOf(key, numberOfDay(day) - 1), lowest(key), 1);
  return found && { day: dayAt(found.key, found.key.length - 2), state: found.value };
}

function saveKey(store: OrderedStore, from: Day, { key, lastDay, eventsSince, checkpoints }: FoldedKey): void {
  const place = bytesOf(key);
  const known = store.get(KNOWN, place);
  const first = numberOfDay(from);
  // An unknown key has no checkpoints.
  if (known !== undefined) {
    for (const kept of keptOf(store, key)) if (dayOfPlace(kept) >= first) store.remove(KEPT, kept);
  }
  for (const { day, state } of checkpoints) store.put(KEPT, placeOf(key, numberOfDay(day)), state);
  if (known !== undefined && checkpoints.length > 0) thin(store, key);
  const firstDay = known === undefined ? from : earlierOf(from, dayAt(known, 0));
  const value = Buffer.alloc(8);
  value.writeUInt16BE(Math.max(0, numberOfDay(firstDay)), 0);
  value.writeUInt16BE(Math.max(0, numberOfDay(lastDay)), 2);
  value.writeUInt32BE(eventsSince, 4);
  store.put(KNOWN, place, value);
}

const keptOf = (store: OrderedStore, key: string): Buffer[] =>
  store.down(KEPT, placeOf(key, 0xff_ff), lowest(key), MAX_PER_KEY).map((entry) => entry.key);

/**
 * Keeps the newest two and, per power of four of age (days before the newest), the oldest, which later ages into the
 * next power.
 */
function thin(store: OrderedStore, key: string): void {
  const kept = keptOf(store, key);
  const newestDay = kept[0] === undefined ? 0 : dayOfPlace(kept[0]);
  const powerOf = (place: Buffer): number => Math.floor(Math.log2(newestDay - dayOfPlace(place)) / 2);
  for (const [index, place] of kept.entries()) {
    const older = kept[index + 1];
    if (index > 1 && older !== undefined && powerOf(older) === powerOf(place)) store.remove(KEPT, place);
  }
}

const dayOfPlace = (place: Buffer): number => place.readUInt16BE(place.length - 2);

const earlierOf = (a: Day, b: Day): Day => (a < b ? a : b);
const bytesOf = (key: string): Buffer => Buffer.from(key.slice(2), "hex");
const dayAt = (bytes: Buffer, at: number): Day => dayOfNumber(bytes.readUInt16BE(at));
/** Lower bound of a key's checkpoints; the very first day, which has none, is excluded. */
const lowest = (key: string): Buffer => placeOf(key, 0);

function placeOf(key: string, day: number): Buffer {
  const length = key.length / 2 - 1;
  const place = Buffer.allocUnsafe(length + 2);
  place.write(key.slice(2), "hex");
  place.writeUInt16BE(Math.max(0, day), length);
  return place;
}
