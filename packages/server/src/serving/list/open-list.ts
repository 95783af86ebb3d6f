import { setImmediate as breathe } from "node:timers/promises";
import type { Logger } from "pino";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Store } from "../../store/store.ts";
import { followIndex, type Following } from "../feed/follow-index.ts";
import { MARGIN_MICROS } from "../feed/mark.ts";
import { COMPARED_EVERY_MS } from "../feed/open-index.ts";
import { HeldList } from "./held-list.ts";
import { allRows, countRows, listedOf, rowsStored, type ReadRow } from "./read-rows.ts";

/** A list with all that was stored up to a version, and nothing later. */
export type CurrentList = { readonly list: HeldList; readonly version: number };

export type OpenList = Pick<Following, "changed" | "missed" | "close" | "behindMs"> & {
  /** The list, where it has everything that is stored; else the column engine answers. */
  readonly reader: () => CurrentList | undefined;
  /** The list as it was last, for what may lag behind; undefined where there is none. */
  readonly latest: () => HeldList | undefined;
  /** It is not what it should be, or cannot be read: it is made anew. */
  readonly renew: () => void;
};

export type ListOptions = {
  readonly store: Pick<Store, "read" | "rows">;
  /** One that is `listed`. */
  readonly dataset: DatasetDefinition;
  readonly folder: string;
  /** Of a table with more there is no list. */
  readonly mostRows?: number;
  readonly log: Pick<Logger, "error" | "info">;
};

const MOST_ROWS = 400_000;
/** Rows that are put between two looks at what else there is to do: a few milliseconds. */
const SLICE_ROWS = 100;
/** Rows of a build that are put into the orders at once. */
const SETTLED_ROWS = 10_000;
/** Numbers of rows that are no more take memory: where they are as many as rows, and this many, the list is made anew. */
const MOST_GONE = 1_000;

/** The list of a dataset's rows: read from the store when it is opened, and followed. */
export function openList(options: ListOptions): OpenList {
  const table = listedOf(options.dataset).table.name;
  let current: CurrentList | undefined;
  let [mustRenew, wasBuilt] = [false, false];
  const close = (): void => {
    current?.list.file.close();
    current = undefined;
  };
  const apply = async (isCompared: boolean, signal: AbortSignal): Promise<void> => {
    // Of a table that has too many rows it is seldom looked whether they are fewer.
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
      close,
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
 * Brings the list to what the store had a moment ago. Nobody reads it meanwhile, and rows that are put again change
 * nothing. Undefined where it has to be made anew: there are more or less rows, or others, or too many are gone.
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
  if (list.gone() > list.count() + MOST_GONE) return undefined;
  return { list, version: counted?.newest ?? Math.max(version, newest) };
}

/** Rows that change while all are read are read again, as what was stored after the first was read. */
async function build(
  { store, dataset, folder, mostRows = MOST_ROWS, log }: ListOptions,
  signal: AbortSignal,
): Promise<CurrentList | undefined> {
  const { count, newest } = await countRows(store, dataset);
  if (count > mostRows) {
    log.info({ dataset: dataset.name, rows: count }, "there are too many rows for a list: the column engine answers");
    return undefined;
  }
  const list = new HeldList(folder, listedOf(dataset));
  try {
    if (count > 0) await put(list, allRows(store, dataset), signal);
    const last = await put(list, rowsStored(store, dataset, newest), signal);
    log.info(
      { dataset: dataset.name, rows: list.count(), bytes: list.file.bytes() },
      "the list of rows is read and answers from now on",
    );
    return { list, version: Math.max(newest, last) };
  } catch (error) {
    list.file.close();
    throw error;
  }
}

/** Returns the newest version among the rows. */
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
