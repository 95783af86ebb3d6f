import { backoffMs } from "../clock.ts";
import type { InstrumentChanges } from "./change-instruments.ts";
import type { GapKeeper } from "./gap-keeper.ts";
import type { GroupStore } from "./group-store.ts";
import { openLink, type Link, type LinkEnd } from "./link.ts";
import type { PacedRun, SocketRun } from "./socket-run.ts";

/** One socket with its share of the instruments, kept connected until retired or aborted. */
export type Shard = {
  readonly instruments: ReadonlySet<string>;
  readonly change: (added: readonly string[], removed: readonly string[]) => void;
  readonly leave: InstrumentChanges["leave"];
  /** Whether every instrument has a trusted state now. */
  readonly isSynced: () => boolean;
  /** Time (Unix ms) up to which everything received is stored; undefined while not connected. */
  readonly storedThrough: () => number | undefined;
  /** While not connected: whether it failed, other than ending for want of data at a venue that still answers. */
  readonly isDown: () => boolean;
  /** Whether it has been connected at least once. */
  readonly hasStood: () => boolean;
  /** Reopens the socket and fetches all states again. */
  readonly renew: (reason: string) => void;
  readonly retire: () => void;
  readonly ended: Promise<void>;
};

const HEALTHY_MS = 30_000;

export type ShardOptions = {
  readonly run: PacedRun;
  readonly number: number;
  readonly first: readonly string[];
  readonly gaps: GapKeeper;
  readonly store: GroupStore;
};

export function startShard({ run, number, first, gaps, store }: ShardOptions): Shard {
  const { clock, venueNow } = run;
  const key = `socket ${number}`;
  const instruments = new Set(first);
  const retired = new AbortController();
  const stop = AbortSignal.any([run.signal, retired.signal]);
  let link: Link | undefined;
  let [hasStood, isDown] = [false, false];

  const hold = async (): Promise<LinkEnd> => {
    await run.budget.take("all", 1, "live", stop);
    const held = await openLink({ run, key, instruments, gaps, store });
    link = held;
    hasStood = true;
    const leave = (): void => held.end("stopping");
    if (stop.aborted) leave();
    stop.addEventListener("abort", leave, { once: true });
    const ended = await held.ended;
    stop.removeEventListener("abort", leave);
    link = undefined;
    return ended;
  };

  const keep = async (): Promise<void> => {
    let stoodUntil = venueNow();
    for (let attempt = 0; !stop.aborted; attempt += 1) {
      const began = clock.monotonicMs();
      let [reason, wasQuiet] = ["", false];
      try {
        ({ reason, from: stoodUntil, wasQuiet } = await hold());
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
      if (stop.aborted) break;
      isDown = !wasQuiet;
      report(run, number, reason, wasQuiet);
      gaps.open(key, { from: stoodUntil, reason: `${key} (${instruments.size} instruments): ${reason}` });
      if (wasQuiet || clock.monotonicMs() - began > HEALTHY_MS) attempt = 0;
      await clock.sleep(50 + backoffMs(attempt, run.pace.reconnect), stop).catch(() => undefined);
    }
    if (retired.signal.aborted) gaps.close(key, venueNow());
  };

  return {
    instruments,
    change: (added, removed) => {
      for (const instrument of added) instruments.add(instrument);
      for (const instrument of removed) {
        instruments.delete(instrument);
        if (link === undefined) gaps.close(`instrument ${instrument}`, venueNow());
      }
      link?.change(added, removed);
    },
    leave: (instrument) => link?.leave(instrument) ?? Promise.resolve(venueNow()),
    isSynced: () => link?.isSynced() ?? false,
    storedThrough: () => link?.storedThrough(),
    isDown: () => isDown,
    hasStood: () => hasStood,
    renew: (reason) => link?.end(reason),
    retire: () => retired.abort(new Error("no instruments left")),
    ended: keep(),
  };
}

/** A quiet venue's socket is reopened to be sure of it: that is no fault. */
function report(
  { connector, metrics, log, watch, clock }: SocketRun,
  number: number,
  reason: string,
  isQuiet: boolean,
): void {
  watch.lastError = reason;
  watch.lastErrorAt = clock.now();
  const of = { stream: connector.name, socket: number, reason };
  if (isQuiet) {
    log.debug(of, "a quiet socket ended; reopening it");
    return;
  }
  metrics.reconnects.inc({
    stream: connector.name,
    reason:
      reason
        .split(/[:(\d]/)[0]
        ?.trim()
        .slice(0, 40) ?? "",
  });
  log.warn(of, "a socket ended; reopening it");
}
