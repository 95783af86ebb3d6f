import type { Session } from "../../definition/session.ts";
import type { Connection } from "./connection.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Resyncer } from "./resyncer.ts";
import type { Trust } from "./trust.ts";

/** Changes the instruments that one connection follows. */
export type InstrumentChanges = {
  readonly change: (added: readonly string[], removed: readonly string[]) => void;
  /**
   * Resolves once everything received of it so far is stored: the time (Unix ms) from which its stored state may be
   * wrong; undefined if it is empty and right.
   */
  readonly leave: (instrument: string) => Promise<number | undefined>;
};

type Parts = {
  readonly session: Session;
  readonly connection: Pick<Connection, "send">;
  readonly pipeline: Pick<Pipeline, "offer" | "drain">;
  readonly resyncer: Pick<Resyncer, "want" | "forget">;
  readonly trust: Pick<Trust, "add" | "remove" | "removed" | "leave">;
};

/**
 * A session forgets an instrument together with its state, so undecoded frames of it would be lost. It is therefore
 * left, and its replacement subscribed to, once everything received before is stored.
 */
export function createInstrumentChanges(parts: Parts): InstrumentChanges {
  const { session, connection, pipeline, resyncer, trust } = parts;
  const leaving = new Map<string, readonly string[]>();
  const whenStored = (reached: () => void): void => {
    const isTaken = pipeline.offer({ kind: "mark", reached });
    // The connection is ending; what it accepted is stored all the same.
    if (!isTaken) void pipeline.drain().then(reached);
  };
  const subscribe = (added: readonly string[]): void => {
    for (const frame of added.length > 0 ? session.subscribe(added) : []) connection.send(frame);
    resyncer.want(added);
  };
  const unsubscribe = (removed: readonly string[]): void => {
    // Skips those that came back meanwhile.
    const gone = removed.filter((instrument) => leaving.get(instrument) === removed);
    for (const instrument of gone) leaving.delete(instrument);
    trust.removed(gone);
    for (const frame of gone.length > 0 ? session.unsubscribe(gone) : []) connection.send(frame);
  };

  return {
    change: (added, removed) => {
      for (const instrument of added) leaving.delete(instrument);
      for (const instrument of removed) leaving.set(instrument, removed);
      resyncer.forget(removed);
      trust.remove(removed);
      trust.add(added);
      if (removed.length === 0) {
        subscribe(added);
        return;
      }
      whenStored(() => {
        unsubscribe(removed);
        subscribe(added.filter((instrument) => !leaving.has(instrument)));
      });
    },
    leave: (instrument) =>
      new Promise((resolve) => {
        whenStored(() => resolve(trust.leave(instrument)));
      }),
  };
}

export type Plan = {
  readonly changes: readonly { readonly number: number; readonly added: string[]; readonly removed: string[] }[];
  /** Sockets left without instruments. */
  readonly empty: readonly number[];
  /** Instruments of each socket to open. */
  readonly fresh: readonly (readonly string[])[];
  /** Number of instruments without capacity. */
  readonly leftOut: number;
};

/** Keeps instruments on their sockets, fills free capacity first, then opens sockets for the rest. */
export function assignInstruments(
  sockets: ReadonlyMap<number, { readonly instruments: ReadonlySet<string> }>,
  wanted: readonly string[],
  perSocket: number,
  maxSockets: number,
): Plan {
  const want = new Set(wanted);
  const placed = new Set<string>();
  for (const { instruments } of sockets.values()) for (const instrument of instruments) placed.add(instrument);
  const waiting = [...want].filter((instrument) => !placed.has(instrument));
  const changes = [...sockets].map(([number, { instruments }]) => {
    const removed = [...instruments].filter((instrument) => !want.has(instrument));
    const room = Math.max(0, perSocket - (instruments.size - removed.length));
    return { number, removed, added: waiting.splice(0, room), left: instruments.size - removed.length };
  });
  const empty = changes.filter(({ added, left }) => added.length + left === 0).map(({ number }) => number);
  const fresh: string[][] = [];
  while (waiting.length > 0 && sockets.size - empty.length + fresh.length < maxSockets) {
    fresh.push(waiting.splice(0, perSocket));
  }
  return { changes, empty, fresh, leftOut: waiting.length };
}
