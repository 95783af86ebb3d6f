import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type LeftSpan, mergeSpans } from "../../definition/spans.ts";
import { DamagedError } from "../../ordered/ordered-store.ts";
import { sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { InTurn } from "../../definition/pacing.ts";
import type { ChangeCounts } from "../../store/change-counts.ts";
import type { Store } from "../../store/store.ts";
import { KeyVersions } from "../key-versions.ts";
import { layoutOf } from "../layout.ts";
import { ServingReader } from "../reader.ts";
import type { Feed } from "./build-index.ts";
import { Damage } from "./damage.ts";
import { followIndex, type Following } from "./follow-index.ts";
import { readMark } from "./known-parts.ts";
import { fedTable, type Progress } from "./thread/feed-calls.ts";
import type { FedWriter, FeedThread } from "./thread/feed-thread.ts";

export type ServedIndex = Pick<Following, "changed" | "missed" | "asOf" | "behindMs" | "close"> & {
  /** The index, if it has everything stored until a moment ago; otherwise the query falls back to the column engine. */
  readonly reader: () => ServingReader | undefined;
  /** Called when a read failed: the index is compared with the store, or rebuilt if its file is damaged. */
  readonly failed: (cause: unknown) => void;
  /** Time up to which it has stored rows (microseconds since 1970); undefined while there is no index. */
  readonly mark: () => number | undefined;
  /** Unix second from which on it has all rows; undefined while there is no index. */
  readonly floor: () => number | undefined;
};

export type IndexOptions = Pick<Feed, "served"> & {
  readonly table: TableDefinition;
  readonly store: Pick<Store, "read" | "rows" | "stampOf"> & Pick<ChangeCounts, "isWriting">;
  readonly folder: string;
  /** Called again at every check of the index, since the space left by others may change. */
  readonly maxBytes: () => Promise<number>;
  readonly thread: FeedThread;
  /** Schedules its comparison with the store while it serves reads; runs at once by default. */
  readonly withLock?: InTurn;
  readonly log: Pick<Logger, "error" | "info">;
  /** Called when its file was found to be damaged. */
  readonly onDamage?: ((table: string) => void) | undefined;
};

/** While an index is further behind than this, queries go to the column engine. */
const BEHIND_MS = 1000;
export const COMPARED_EVERY_MS = 3_600_000;
const TRY_AGAIN_MS = 60_000;
const REPORT_EVERY_MS = 10_000;
/** An index that exceeds its size limit by more than this factor is rebuilt without the oldest rows. */
const ROOM = 1.1;

/** Opens the index of a table in a folder: builds it if absent, and follows the store from then on. */
export function openIndex(options: IndexOptions): ServedIndex {
  const { served, log } = options;
  const { name } = options.table;
  const file = join(options.folder, layoutOf(served).schema);
  const [versions, closed] = [new KeyVersions(), new AbortController()];
  const writer = writerOf(options, versions);
  let held: Held | undefined;
  /** Spans removed while an index is built: the build may have read their rows before. */
  let missed: LeftSpan[] = [];
  /** The table's stamp at the last reported change. */
  let reported = options.store.stampOf([options.table]);

  const damage = new Damage((cause) => {
    log.error({ err: cause, table: name }, "the serving index is damaged and will be rebuilt");
    options.onDamage?.(name);
  });
  const follow = (): void => {
    held = openHeld(options, { writer, versions, reported: () => reported, damage }, file);
    held?.following.changed(missed);
    missed = [];
  };
  const end = async (): Promise<void> => {
    await held?.following.close();
    held?.reader.close();
    held = undefined;
    damage.forget();
  };
  const build = async (maxBytes: number): Promise<void> => {
    const isSettled = unchangedSince(options, options.store.stampOf([options.table]));
    await writer.build(maxBytes, { onProgress: telling(options), onReady: end, isSettled });
    follow();
    if (held === undefined) throw new Error("the new index cannot be opened");
    log.info({ table: name }, "the serving index is built and now answers");
  };
  const running = keep(options, { file, damage, follow, end, build, held: () => held, closed: closed.signal });
  return {
    reader: () => (!damage.isFound && (held?.following.behindMs() ?? BEHIND_MS) < BEHIND_MS ? held?.reader : undefined),
    changed: (left) => {
      reported = options.store.stampOf([options.table]);
      if (held === undefined && left !== "unknown") missed = mergeSpans([...missed, ...(left ?? [])]);
      held?.following.changed(left);
    },
    missed: () => held?.following.missed(),
    failed: (cause) => {
      damage.look(cause);
      if (!damage.isFound) held?.following.changed("unknown");
    },
    mark: () => held?.mark(),
    floor: () => damage.read(() => held?.reader.floor()),
    asOf: () => held?.following.asOf(),
    behindMs: () => held?.following.behindMs(),
    close: async () => {
      closed.abort(new Error("the service stops"));
      // Closed while the thread still has the index open, so that its state is recorded.
      await (held?.following ?? writer).close();
      await running;
      await end();
    },
  };
}

type Kept = {
  readonly file: string;
  readonly damage: Damage;
  readonly closed: AbortSignal;
  readonly held: () => Held | undefined;
  readonly follow: () => void;
  readonly end: () => Promise<void>;
  readonly build: (maxBytes: number) => Promise<void>;
};

/**
 * Maintains an index until it is closed: opens or builds it, and rebuilds it if it is damaged or its size does not fit.
 */
async function keep(options: IndexOptions, { file, damage, closed, held, ...steps }: Kept): Promise<void> {
  const { log, table, withLock = (work) => work() } = options;
  while (!closed.aborted) {
    try {
      if (damage.isFound) {
        await steps.end();
        rmSync(file, { recursive: true, force: true });
      }
      if (held() === undefined && existsSync(file)) steps.follow();
      const [maxBytes, now] = [await options.maxBytes(), held()];
      const has = now && damage.read(() => sizeOf(now.reader));
      if (damage.isFound) continue;
      if (has === undefined || (await isOfOtherSize(options, has, maxBytes))) await steps.build(maxBytes);
      await damage.rest(COMPARED_EVERY_MS, closed);
      if (!damage.isFound && !closed.aborted) void withLock(() => compareWith(held()));
    } catch (error) {
      if (closed.aborted) return;
      log.error({ err: error, table: table.name }, "the serving index could not be built; retrying");
      // Also after damage: on a disk that damages every write the index would otherwise be rebuilt endlessly.
      await sleep(TRY_AGAIN_MS, undefined, { signal: closed }).catch(() => undefined);
    }
  }
}

function writerOf({ folder, served, table, store, thread }: IndexOptions, { memory }: KeyVersions): FedWriter {
  return thread.writer({ kind: "rows", folder, served, versions: memory, table: fedTable(table) }, store);
}

/** An open index: it is read here, and the thread follows the store with it. */
type Held = { readonly reader: ServingReader; readonly mark: () => number; readonly following: Following };

/** The writer of an index, the versions of its keys, and the table's stamp at the last reported change. */
type Feeding = {
  readonly writer: FedWriter;
  readonly versions: KeyVersions;
  readonly reported: () => number;
  readonly damage: Damage;
};

/** Whether the table still has its stamp, and nothing is being written to it. */
const unchangedSince =
  ({ store, table }: IndexOptions, stamp: number) =>
  (): boolean =>
    !store.isWriting(table) && store.stampOf([table]) === stamp;

/** Opens an index; one that cannot be opened is removed, as if it were absent. */
function openHeld(
  options: IndexOptions,
  { writer, versions, reported, damage }: Feeding,
  file: string,
): Held | undefined {
  const { log, table } = options;
  try {
    const reader = ServingReader.open(options.folder, options.served, versions);
    // The file was complete when it was moved here.
    if (reader === undefined) throw new DamagedError(`${file} is empty`);
    const note = async (): Promise<void> => {
      // Writes that are not reported, or only later, are not among the applied changes.
      const isSettled = unchangedSince(options, reported());
      await damage.watch(() => writer.note(isSettled));
    };
    let known = readMark(reader.mark());
    const mark = (): number => (known = damage.read(() => readMark(reader.mark())) ?? known);
    const apply: FedWriter["apply"] = async (...given) => {
      try {
        return await damage.watch(() => writer.apply(...given));
      } catch (cause) {
        versions.lose();
        throw cause;
      }
    };
    return { reader, mark, following: followIndex({ ...writer, table: table.name, apply, note, mark }, log) };
  } catch (error) {
    damage.look(error);
    if (!damage.isFound)
      log.error({ err: error, table: table.name }, "the serving index cannot be opened and will be rebuilt");
    rmSync(file, { recursive: true, force: true });
    return undefined;
  }
}

/** Requests a comparison with the store, and waits for it. */
async function compareWith(held: Held | undefined): Promise<void> {
  held?.following.changed("unknown");
  await held?.following.caughtUp();
}

type Size = { readonly rows: number; readonly floor: number | undefined };

const sizeOf = (reader: ServingReader): Size => ({
  rows: [...reader.days.all().values()].reduce((sum, { count }) => sum + count, 0),
  floor: reader.floor(),
});

/** Whether the index has more rows than fit, or lacks old ones although all would fit by now. */
async function isOfOtherSize({ store, served, table }: IndexOptions, { rows, floor }: Size, maxBytes: number) {
  if (rows * served.rowBytes > maxBytes * ROOM) return true;
  if (floor === 0 || served.maxDays !== undefined) return false;
  const [row] = await store.rows<{ n: string }>(sql`SELECT toString(count()) AS n FROM ${table}`);
  return Number(row?.n) * served.rowBytes <= maxBytes;
}

/** Logs the progress of a build at intervals. */
function telling({ log, table }: IndexOptions): (progress: Progress) => void {
  log.info({ table: table.name }, "building the serving index");
  let reportedAt = performance.now();
  return (progress) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    log.info({ table: table.name, ...progress }, "building the serving index");
  };
}
