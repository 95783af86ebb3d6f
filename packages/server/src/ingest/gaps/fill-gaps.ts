import { backoffMs } from "../clock.ts";
import { dropGapWalk } from "../control/backfill-record.ts";
import { dropSettled, settleReread } from "../control/settled-records.ts";
import { findFillable, markUnfillable, postponeGaps, reviveGaps, type FillableGap } from "../control/fill-record.ts";
import type { PullRun } from "../pull.ts";
import type { Planned } from "../plan-streams.ts";
import { coalesceGaps } from "./coalesce-gaps.ts";
import { planWalks, type GapWalk } from "./plan-walks.ts";
import type { PullConnector } from "../../definition/connector.ts";

export type FillGapsOptions = Pick<PullRun, "db" | "clock" | "log" | "signal"> & {
  readonly planned: readonly Planned[];
  /** Walks the range at lower priority than live streams; throws if it does not complete. */
  readonly walk: (walk: GapWalk, signal: AbortSignal) => Promise<void>;
  readonly everySeconds?: number | undefined;
};

const EVERY_SECONDS = 5;
const DROP_EVERY_MS = 3_600_000;
const PACE = { firstMs: 5000, maxMs: 3_600_000 };
const MIN_WAIT_MS = 2000;
const PAST_BOOK = "past changes cannot be requested later";
const NOBODY = "no enabled stream has it";

/**
 * Fills gaps that have an end until aborted, with at most one walk per host at a time. Gaps that nothing can fill are
 * marked and kept; records settled long ago are dropped. Failures are saved with the gap, which then waits longer each
 * time.
 */
export async function fillGaps(options: FillGapsOptions): Promise<void> {
  const { planned, db, clock, log, signal, everySeconds = EVERY_SECONDS } = options;
  const busy = new Map<string, Promise<void>>();
  let isRevived = false;
  let droppedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      if (!isRevived) await revive(options);
      isRevived = true;
      await giveUpSockets(options);
      await coalesceGaps(db);
      if (clock.monotonicMs() - droppedAt >= DROP_EVERY_MS) {
        await dropSettled(db, new Date(clock.now()));
        droppedAt = clock.monotonicMs();
      }
      // Before the query: a walk that ended since may have filled gaps that it returns.
      const taken = new Set(busy.keys());
      const lookedAt = new Date(clock.now());
      const plan = planWalks(await findFillable(db, lookedAt), (stream) => findWays(stream, planned));
      for (const gap of plan.hopeless) await giveUp(options, gap);
      for (const walk of plan.walks) {
        const host = walk.by.host.name;
        if (taken.has(host) || signal.aborted) continue;
        taken.add(host);
        const done = takeWalk(options, walk, lookedAt).finally(() => busy.delete(host));
        busy.set(host, done);
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "gaps could not be checked; retrying");
    }
    await clock.sleep(everySeconds * 1000, signal).catch(() => undefined);
  }
  await Promise.all(busy.values());
}

/** `lookedAt`: when the gaps were read; one of a page that was met again since may be longer now. */
async function takeWalk(options: FillGapsOptions, requested: GapWalk, lookedAt: Date): Promise<void> {
  const { db, clock, log, signal, walk } = options;
  const { by, gaps, range } = requested;
  const of = { stream: by.name, gaps: gaps.length, ...range };
  const parked = gaps.filter(({ isParked }) => isParked).map(({ id }) => id);
  try {
    log.info(of, "filling gaps");
    // Only a walk made from start to end shows whether a page is met again.
    if (parked.length > 0) await dropGapWalk(db, { stream: by.name, ...range });
    await walk(requested, signal);
    if (signal.aborted) return;
    const left = await settleReread(
      db,
      parked,
      { from: new Date(range.from), startedAt: lookedAt },
      new Date(clock.now()),
    );
    if (left.length > 0) await postpone(options, requested, left);
    log.info({ ...of, left: left.length }, "gaps walked");
  } catch (error) {
    if (signal.aborted) return;
    log.error({ err: error, ...of }, "gaps could not be filled; retrying");
    const ids = gaps.map(({ id }) => id);
    await postpone(options, requested, ids).catch((again: unknown) =>
      log.error({ err: again, ...of }, "the failure could not be recorded"),
    );
  }
}

async function postpone({ db, clock }: FillGapsOptions, { gaps }: Pick<GapWalk, "gaps">, ids: readonly number[]) {
  const attempts = Math.max(...gaps.map((gap) => gap.attempts));
  await postponeGaps(db, ids, new Date(clock.now() + MIN_WAIT_MS + backoffMs(attempts, PACE)));
}

/** A stream enabled since may fill gaps that were given up. */
async function revive(options: FillGapsOptions): Promise<void> {
  const { planned, db } = options;
  for (const { connector } of planned) {
    const ways = findWays(connector.name, planned).map(({ name }) => name);
    if (ways.length > 0) await reviveGaps(db, connector.name, ways);
  }
}

/** Thousands of books may break at once: their gaps are marked unfillable by stream, in one statement for all. */
async function giveUpSockets(options: FillGapsOptions): Promise<void> {
  const { planned, db } = options;
  const streams = planned
    .map(({ connector }) => connector.name)
    .filter((stream) => findWays(stream, planned).length === 0);
  if (streams.length > 0) await markUnfillable(db, { streams }, PAST_BOOK);
}

async function giveUp(options: FillGapsOptions, gap: FillableGap): Promise<void> {
  const { db, log } = options;
  if (gap.isParked) return postpone(options, { gaps: [gap] }, [gap.id]);
  const why =
    gap.tried.length === 0 ? NOBODY : `${gap.tried.join(" and ")} ${gap.tried.length > 1 ? "do" : "does"} not have it`;
  log.warn({ stream: gap.stream, gap: gap.id, why }, "a gap cannot be filled");
  await markUnfillable(db, { ids: [gap.id] }, why);
}

/**
 * Streams that can fill a stream's gaps, cheapest first: its replacement, itself, those it replaces. Only configured
 * streams that can backfill.
 */
function findWays(stream: string, planned: readonly Planned[]): readonly PullConnector[] {
  const own = planned.find(({ connector }) => connector.name === stream)?.connector;
  if (own?.kind !== "pull") return [];
  const replaced = planned.filter(({ connector }) => connector.kind === "pull" && connector.replacedBy === stream);
  const names = [own.replacedBy, stream, ...replaced.map(({ connector }) => connector.name)];
  return [...new Set(names)].flatMap((name) => {
    const found = planned.find(({ connector }) => connector.name === name);
    return found?.connector.kind === "pull" && found.connector.canBackfill && found.state !== "off"
      ? [found.connector]
      : [];
  });
}
