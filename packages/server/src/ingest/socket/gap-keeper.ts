import { beginGapsEarlier, correctSlowClock, closeGaps, findLastingGaps, openGap } from "../control/gap-record.ts";
import type { PullRun } from "../pull.ts";

/** Ongoing gaps of one stream by an internal key; each is recorded when it opens and when it ends. */
export type GapKeeper = {
  /** An ongoing gap of that key begins earlier if `from` does. */
  readonly open: (key: string, gap: { from: number; reason: string; instrument?: string }) => void;
  readonly close: (key: string, to: number) => void;
  readonly has: (key: string) => boolean;
  /** Start (Unix ms) of the earliest ongoing gap opened by this run; undefined if there is none. */
  readonly earliest: () => number | undefined;
  /** Number of ongoing gaps, optionally only those whose key starts like this. */
  readonly count: (keyBegin?: string) => number;
  /** The machine's clock was slow by `byMs` until it showed `until`: moves ends taken from it later. */
  readonly correct: (slow: { readonly byMs: number; readonly until: number }) => void;
  /** Takes over gaps left open by an earlier run that have begun by now. */
  readonly adopt: (key: string) => Promise<void>;
  /**
   * Resolves to true when everything so far is recorded. It waits for unavailable records; once the service stops only
   * a few seconds, then resolves to false.
   */
  readonly settled: () => Promise<boolean>;
};

type GapKeeperOptions = Pick<PullRun, "db" | "clock" | "log" | "metrics" | "watch" | "signal"> & {
  readonly stream: string;
};

const TRIES_STOPPING = 3;
const TRY_AGAIN_MS = 1000;

export function createGapKeeper(options: GapKeeperOptions): GapKeeper {
  const { stream, db, clock, log, metrics, watch } = options;
  const lasting = new Map<string, { from?: number; readonly ids: number[] }>();
  const { later, settled } = writeInOrder(options);
  const report = (): void => {
    watch.openGaps = lasting.size;
  };

  return {
    open: (key, { from, reason, instrument }) => {
      const held = lasting.get(key);
      if (held !== undefined) {
        if (held.from === undefined || held.from <= from) return;
        held.from = from;
        return later(() => beginGapsEarlier(db, held.ids, new Date(from)));
      }
      const gap = { from, ids: [] as number[] };
      lasting.set(key, gap);
      report();
      metrics.gaps.inc({ stream });
      log.warn({ stream, instrument, reason }, "a gap opened");
      later(async () => {
        const what = { stream, from: new Date(from), reason, ...(instrument === undefined ? {} : { instrument }) };
        gap.ids.push(await openGap(db, what, new Date(clock.now())));
      });
    },
    close: (key, to) => {
      const gap = lasting.get(key);
      if (gap === undefined) return;
      lasting.delete(key);
      report();
      later(() => closeGaps(db, gap.ids, new Date(to)));
    },
    has: (key) => lasting.has(key),
    earliest: () => {
      const begun = [...lasting.values()].flatMap(({ from }) => from ?? []);
      return begun.length === 0 ? undefined : begun.reduce((one, other) => Math.min(one, other));
    },
    count: (keyBegin = "") => [...lasting.keys()].filter((key) => key.startsWith(keyBegin)).length,
    correct: (slow) => later(() => correctSlowClock(db, stream, slow)),
    adopt: async (key) => {
      const ids = await findLastingGaps(db, stream, new Date(clock.now()));
      if (ids.length === 0) return;
      lasting.set(key, { ids });
      report();
    },
    settled,
  };
}

/** Runs writes one after the other, each until it succeeds. */
function writeInOrder({ stream, clock, log, signal }: GapKeeperOptions) {
  let work: Promise<void> = Promise.resolve();
  let isWhole = true;
  const write = async (task: () => Promise<void>): Promise<void> => {
    for (let tried = 1; ; tried += 1) {
      try {
        await task();
        return;
      } catch (error) {
        log.error({ err: error, stream, tried }, "a gap could not be recorded yet");
        if (signal.aborted && (!isWhole || tried >= TRIES_STOPPING)) {
          isWhole = false;
          return;
        }
        await clock.sleep(TRY_AGAIN_MS);
      }
    }
  };
  return {
    later: (task: () => Promise<void>): void => {
      work = work.then(() => write(task));
    },
    settled: (): Promise<boolean> => work.then(() => isWhole),
  };
}
