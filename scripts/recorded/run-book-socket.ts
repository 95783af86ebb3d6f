import type { Decoded, SocketConnector } from "../../packages/server/src/definition/connector.ts";
import { systemClock } from "../../packages/server/src/ingest/clock.ts";
import { runSocket } from "../../packages/server/src/ingest/socket/run-socket.ts";
import { createStreamWatch } from "../../packages/server/src/ingest/stream-watch.ts";
import type { House } from "./open-house.ts";

const QUIET_MS = 120_000;
const LOOK_MS = 50;

export type SocketAsk = {
  readonly tokens: readonly string[];
  /** Frames the session must have read, PONG apart, and states it must have taken over. */
  readonly frames?: number;
  readonly states?: number;
  /** Called with every frame that was read and what came of it. */
  readonly onDecoded?: (frame: string, decoded: Decoded) => void;
};

export type SocketOutcome = {
  /** Resyncs asked for since a book was not to be trusted, by reason. */
  readonly broken: ReadonlyMap<string, number>;
  /** Frames and states of a shape that the session refused. */
  readonly parked: number;
  /** Why the socket had to be opened again, if it had to; the replay then came again from its start. */
  readonly reopened: string | undefined;
};

/**
 * Runs a socket stream as the service does until it has read what was recorded, then stops it as the service does.
 * Throws when nothing more comes for two minutes.
 */
export async function runBookSocket(
  house: House,
  given: SocketConnector,
  { tokens, frames = 0, states = 0, onDecoded = () => undefined }: SocketAsk,
): Promise<SocketOutcome> {
  const stop = new AbortController();
  const read = { frames: 0, states: 0, sessions: 0, parked: 0, at: Date.now() };
  const broken = new Map<string, number>();
  const connector = counting(given, read, broken, onDecoded);
  const watch = createStreamWatch(connector.name);
  const ended = runSocket({
    connector,
    baseUrl: house.upstreams.addressOf(connector.host),
    settings: house.settings,
    budget: house.upstreams.budgetOf(connector.host),
    feed: connector.resyncHost && house.feedOf(connector.resyncHost, connector.name, stop.signal),
    db: house.records.db,
    write: house.write,
    park: house.upstreams.park,
    known: async () => tokens,
    clock: systemClock,
    log: house.log,
    metrics: house.metrics,
    watch,
    signal: stop.signal,
  });
  try {
    while (read.frames < frames || read.states < states) {
      if (Date.now() - read.at > QUIET_MS) {
        throw new Error(`${connector.name}: quiet after ${read.frames} frames and ${read.states} states`);
      }
      await systemClock.sleep(LOOK_MS);
    }
  } finally {
    stop.abort(new Error("all was read"));
    await ended;
  }
  return { broken, parked: read.parked, reopened: read.sessions > 1 ? watch.lastError : undefined };
}

type Read = { frames: number; states: number; sessions: number; parked: number; at: number };

/** The connector itself, with its sessions' work counted. */
function counting(
  given: SocketConnector,
  read: Read,
  broken: Map<string, number>,
  onDecoded: NonNullable<SocketAsk["onDecoded"]>,
): SocketConnector {
  const note = <T extends { readonly broken?: readonly { readonly reason: string }[] }>(work: () => T): T => {
    read.at = Date.now();
    try {
      const decoded = work();
      for (const { reason } of decoded.broken ?? []) broken.set(reason, (broken.get(reason) ?? 0) + 1);
      return decoded;
    } catch (error) {
      read.parked += 1;
      throw error;
    }
  };
  // What was recorded stands still: there is no venue to compare books with, or to miss one at.
  const { compareSeconds: _none, ...connector } = given;
  return {
    ...connector,
    session: () => {
      const session = given.session();
      read.sessions += 1;
      // A socket that was opened again gets the whole replay again.
      read.frames = 0;
      return {
        subscribe: (instruments) => session.subscribe(instruments),
        unsubscribe: (instruments) => session.unsubscribe(instruments),
        decode: (frame, receivedMs) => {
          if (frame === "PONG") return session.decode(frame, receivedMs);
          read.frames += 1;
          const decoded = note(() => session.decode(frame, receivedMs));
          onDecoded(frame, decoded);
          return decoded;
        },
        adopt: (state, receivedMs) => {
          read.states += 1;
          return note(() => session.adopt(state, receivedMs));
        },
      };
    },
  };
}
