import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { LeftSpan } from "../../definition/left-span.ts";
import { mergeSpans } from "../../definition/spans.ts";
import { layoutOf } from "../layout.ts";
import type { ServingReader } from "../reader.ts";
import { ServingWriter } from "../writer.ts";
import { applyStored } from "./apply-stored.ts";
import { buildIndex, type BuildOptions, type Feed } from "./build-index.ts";
import { followIndex, type Following } from "./follow-index.ts";
import { readMark } from "./mark.ts";

export type ServedIndex = {
  /** The index, where it has everything that was stored until a moment ago; else the column engine answers. */
  readonly reader: () => ServingReader | undefined;
  /** The table has other rows now (see Following). */
  readonly changed: Following["changed"];
  readonly asOf: Following["asOf"];
  /** Milliseconds since it was as the store is; undefined while it is built. */
  readonly behindMs: () => number | undefined;
  readonly close: () => Promise<void>;
};

export type IndexOptions = Feed & {
  readonly folder: string;
  readonly mostBytes: number;
  readonly log: Pick<Logger, "error" | "info">;
};

/** An index that is further behind leaves questions to the column engine. */
const BEHIND_MS = 1000;
export const COMPARED_EVERY_MS = 3_600_000;
const TRY_AGAIN_MS = 60_000;
const TOLD_EVERY_MS = 10_000;
/** Over its bounds by more than this an index is made anew without the oldest rows. */
const ROOM = 1.1;

/** The index of a table in a folder: built where there is none, followed from then on. */
export function openIndex(options: IndexOptions): ServedIndex {
  const { folder, served, log, table } = options;
  const file = join(folder, layoutOf(served).schema);
  const closed = new AbortController();
  let [writer, following]: [ServingWriter | undefined, Following | undefined] = [undefined, undefined];
  /** What was taken away while an index is built: it may have been read before. */
  let missed: LeftSpan[] = [];

  const follow = (): void => {
    writer = ServingWriter.open(folder, served);
    following = followRows(writer, options);
    following.changed(missed);
    following.changed("unknown");
    missed = [];
  };
  /** One that cannot be opened is as good as none. */
  const followHeld = (): void => {
    try {
      follow();
    } catch (error) {
      log.error({ err: error, table: table.name }, "the serving index cannot be opened: it is built anew");
      rmSync(file, { recursive: true, force: true });
    }
  };
  const build = async (): Promise<void> => {
    await buildIndex({ ...options, signal: closed.signal, onProgress: telling(options), onReady: () => end() });
    follow();
    log.info({ table: table.name }, "the serving index is built and answers from now on");
  };
  const end = async (): Promise<void> => {
    await following?.close();
    [writer, following] = [undefined, undefined];
  };
  const run = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      try {
        if (following === undefined && existsSync(file)) followHeld();
        if (following === undefined || rowsOf(writer) * served.rowBytes > options.mostBytes * ROOM) await build();
        else following.changed("unknown");
        await sleep(COMPARED_EVERY_MS, undefined, { signal: closed.signal });
      } catch (error) {
        if (closed.signal.aborted) return;
        log.error({ err: error, table: table.name }, "the serving index could not be built; it is tried again");
        await sleep(TRY_AGAIN_MS, undefined, { signal: closed.signal }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    reader: () => ((following?.behindMs() ?? BEHIND_MS) < BEHIND_MS ? writer : undefined),
    changed: (left) => {
      if (following === undefined && left !== "unknown") missed = mergeSpans([...missed, ...(left ?? [])]);
      following?.changed(left);
    },
    asOf: () => following?.asOf(),
    behindMs: () => following?.behindMs(),
    close: async () => {
      closed.abort(new Error("the service stops"));
      await running;
      await end();
    },
  };
}

const rowsOf = (writer: ServingWriter | undefined): number =>
  [...(writer?.days.all().values() ?? [])].reduce((sum, { count }) => sum + count, 0);

/** Logs how far a build is, now and then. */
function telling({ log, table }: IndexOptions): NonNullable<BuildOptions["onProgress"]> {
  log.info({ table: table.name }, "building the serving index");
  let toldAt = performance.now();
  return (progress) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    log.info({ table: table.name, ...progress }, "building the serving index");
  };
}

const followRows = (writer: ServingWriter, { log, ...feed }: IndexOptions): Following =>
  followIndex(
    {
      table: feed.table.name,
      apply: (left, isCompared) => applyStored(writer, feed, left, isCompared),
      mark: () => readMark(writer.mark()),
      close: () => writer.close(),
    },
    log,
  );
