import { setImmediate as breathe } from "node:timers/promises";
import type { Logger } from "pino";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Store } from "../../store/store.ts";
import { followIndex, type Following } from "../feed/follow-index.ts";
import { MARGIN_MICROS } from "../feed/known-parts.ts";
import { COMPARED_EVERY_MS } from "../feed/open-index.ts";
import { HeldList } from "./held-list.ts";
import { allRows, countRows, listedOf, rowsStored, type ReadRow } from "./read-rows.ts";

/** A list with everything that was stored up to a version, and nothing later. */
export type CurrentList = { readonly list: HeldList; readonly version: number };

export type OpenList = Pick<Following, "changed" | "missed" | "close" | "behindMs"> & {
  /** The list, if it has everything that is stored; otherwise the query falls back to the column engine. */
  readonly reader: () => CurrentList | undefined;
  /** The latest state of the list, for uses that may lag behind; undefined if there is none. */
  readonly latest: () => HeldList | undefined;
  /** Called when the list is wrong or cannot be read: it is rebuilt. */
  readonly renew: () => void;
};

export type ListOptions = {
  readonly store: Pick<Store, "read" | "rows">;
  /** A dataset with a `listed` declaration. */
  readonly dataset: DatasetDefinition;
  readonly folder: string;
  /** A table with more rows than this gets no list. */
  readonly maxRows?: number;
  readonly log: Pick<Logger, "error" | "info">;
};

const MAX_ROWS = 400_000;
/** Rows added before yielding to the event loop: a few milliseconds. */
const SLICE_ROWS = 100;
/** During a build the orders are updated after this many rows. */
const SETTLED_ROWS = 10_000;
/** Unused row numbers take memory: if they exceed the number of rows by this many, the list is rebuilt. */
const MAX_GONE = 1_000;

/** Opens the list of a dataset's rows: reads it from the store, then follows the store. */
export function openList(options: ListOptions): OpenList {
  const table = listedOf(options.dataset).table.name;
  let current: CurrentList | undefined;
  let [mustRenew, wasBuilt] = [false, false];
  const close = (): void => {
    current?.list.file.close();
    current = undefined;
  };
  const apply = async (isCompared: boolean, signal: AbortSignal): Promise<void> => {
    // For a table with too many rows it is only rarely checked whether there are fewer.
    if (wasBuilt && current === undefined && !isCompared) return;
    const updated = mustRenew ? undefined : current && (await update(current, options, isCompared, signal));
    if (updated !== undefined) current = updated;
    else {
      [mustRenew, wasBuilt] = [false, false];
      close();
      current = await build(options, signal);
      wasBuilt = true;
    }
  };
  const following = followIndex(
    {
      table,
      apply: (_left, comparing, signal) => apply(comparing !== "no", signal),
      mark: () => current?.version ?? 0,
      // Work in progress still reads and writes the file, whose descriptor another file may have by then.
      close: () => undefined,
    },
    options.log,
  );
  const compare = (): void => following.changed("unknown");
  compare();
  const timer = setInterval(compare, COMPARED_EVERY_MS).unref();
  return {
    changed: following.changed,
    missed: following.missed,
    reader: () => (following.isWhole() ? current : undefined),
    latest: () => current?.list,
    behindMs: following.behindMs,
    renew: () => {
      mustRenew = true;
      following.changed();
    },
    close: async () => {
      clearInterval(timer);
      await following.close();
      close();
    },
  };
}

/**
 * Brings the list up to date with a recent state of the store. No reader uses it meanwhile, and adding rows again
 * changes nothing. Returns undefined if it has to be rebuilt: the rows differ, or too many row numbers are unused.
 */
async function update(
  { list, version }: CurrentList,
  { store, dataset }: ListOptions,
  isCompared: boolean,
  signal: AbortSignal,
): Promise<CurrentList | undefined> {
  const counted = isCompared ? await countRows(store, dataset) : undefined;
  const after = counted === undefined ? version : version - MARGIN_MICROS;
  const newest = await put(list, rowsStored(store, dataset, after, counted?.newest), signal);
  if (counted && (list.count() !== counted.count || list.sum() !== counted.sum)) return undefined;
  if (list.gone() > list.count() + MAX_GONE) return undefined;
  return { list, version: counted?.newest ?? Math.max(version, newest) };
}

/** Rows that change while all are read are read again, since they are stored after the version noted at the start. */
async function build(
  { store, dataset, folder, maxRows = MAX_ROWS, log }: ListOptions,
  signal: AbortSignal,
): Promise<CurrentList | undefined> {
  const { count, newest } = await countRows(store, dataset);
  if (count > maxRows) {
    log.info({ dataset: dataset.name, rows: count }, "too many rows for a list; the column engine answers");
    return undefined;
  }
  const list = new HeldList(folder, listedOf(dataset));
  try {
    if (count > 0) await put(list, allRows(store, dataset), signal);
    const last = await put(list, rowsStored(store, dataset, newest), signal);
    log.info(
      { dataset: dataset.name, rows: list.count(), bytes: list.file.bytes() },
      "the list of rows is loaded and now answers",
    );
    return { list, version: Math.max(newest, last) };
  } catch (error) {
    list.file.close();
    throw error;
  }
}

/** Adds rows and returns their newest version. */
async function put(list: HeldList, chunks: AsyncIterable<readonly ReadRow[]>, signal: AbortSignal): Promise<number> {
  let [newest, unsettled] = [0, 0];
  for await (const rows of chunks) {
    for (const slice of slicesOf(rows, SLICE_ROWS)) {
      for (const row of slice) {
        list.put(row);
        newest = Math.max(newest, row.version);
      }
      await breathe();
      signal.throwIfAborted();
    }
    unsettled += rows.length;
    if (unsettled < SETTLED_ROWS) continue;
    list.settle();
    unsettled = 0;
  }
  list.settle();
  return newest;
}
