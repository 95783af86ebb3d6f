import type { Feed, PullConnector } from "../../packages/server/src/definition/connector.ts";
import type { Known } from "../../packages/server/src/definition/known.ts";
import { runPull } from "../../packages/server/src/ingest/pull.ts";
import { createStreamWatch } from "../../packages/server/src/ingest/stream-watch.ts";
import type { House } from "./open-house.ts";

export type Turns = {
  /** Turns to take; the clock is put on by `everySeconds` between two. */
  readonly turns: number;
  /** The time of the first turn, Unix ms; default the real one. */
  readonly startMs?: number;
  /** Seconds between turns; default the connector's own. */
  readonly everySeconds?: number;
  /** What the connector is told of the store; by default nothing. */
  readonly known?: (question: Known, nowMs: number) => readonly string[];
  /** Stands between the connector and its host, to narrow a question down to what is recorded. */
  readonly narrow?: (feed: Feed) => Feed;
  /** Parts runs of one connector that must not share a cursor. */
  readonly label?: string;
};

/** What the stream told the operator. */
export type Notice = { readonly kind: string; readonly text: string; readonly count: number };

/** Runs a live stream as the service does, turn after turn, and stops it. Resolves to its notices; throws its failure. */
export async function runTurns(house: House, given: PullConnector, asked: Turns): Promise<readonly Notice[]> {
  const { known = () => [], narrow = (feed: Feed) => feed } = asked;
  const name = asked.label === undefined ? given.name : `${given.name} ${asked.label}`;
  const connector: PullConnector = { ...given, name, everySeconds: asked.everySeconds ?? given.everySeconds };
  const stop = new AbortController();
  const watch = createStreamWatch(name);
  let now = asked.startMs ?? Date.now();
  let left = asked.turns;
  const clock = {
    now: () => now,
    // A whole period, whatever part of it the service rests.
    sleep: async (_ms: number, signal?: AbortSignal) => {
      left -= 1;
      now += connector.everySeconds * 1000;
      if (left <= 0 || watch.errors > 0) stop.abort(new Error("the turns are over"));
      signal?.throwIfAborted();
    },
  };
  const feedOf = (host: PullConnector["host"]): Feed => narrow(house.feedOf(host, name, stop.signal));
  await runPull({
    connector,
    feed: feedOf(connector.host),
    also: Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(host)])),
    db: house.records.db,
    write: house.write,
    known: async (question) => known(question, now),
    clock,
    watch,
    log: house.log,
    metrics: house.metrics,
    signal: stop.signal,
  });
  if (watch.lastError !== undefined) throw new Error(`${name}: ${watch.lastError}`);
  return house.records.db.selectFrom("notices").select(["kind", "text", "count"]).where("stream", "=", name).execute();
}
