import type { TableRows } from "./connector.ts";

/** The result of decoding one frame. */
export type Decoded = {
  readonly rows: readonly TableRows[];
  /** The venue's own timestamp of the first row (Unix ms), where the stored row may carry a corrected one. */
  readonly venueMs?: number | undefined;
  /** Keys of rows that other streams will deliver: these streams are woken (see WokenBy). */
  readonly announced?: readonly string[];
  /**
   * Instruments whose state is no longer trusted: resynchronised by `resync` immediately. `since` is the venue's
   * timestamp (Unix ms) at which it was last known to be correct; the previous frame if absent.
   */
  readonly broken?: readonly { readonly instrument: string; readonly reason: string; readonly since?: number }[];
  /** Instruments whose state the stream itself has restored. */
  readonly restored?: readonly string[];
  /** Frames to send back immediately on the same socket (a snapshot requested in the stream's own order). */
  readonly send?: readonly string[];
};

/** A live session on one socket; keeps the state that continuity needs (books, sequence numbers). */
export type Session = {
  /** Frames to send right after the socket opens, and whenever the instruments change. */
  readonly subscribe: (instruments: readonly string[]) => readonly string[];
  readonly unsubscribe: (instruments: readonly string[]) => readonly string[];
  /** Throws a zod error for a frame of a wrong shape: the frame is quarantined, the session continues. */
  readonly decode: (frame: string, receivedMs: number) => Decoded;
  /** Applies a full state fetched over REST, received at `receivedMs` by the venue's clock. */
  readonly adopt: (state: Resynced, receivedMs: number) => Decoded;
  /** False for an instrument that a fetched state does not complete: the session reports when it is (`restored`). */
  readonly isWhole?: (instrument: string) => boolean;
  /**
   * True for an incomplete instrument that neither the stream nor a fetched state can complete for now, e.g. because
   * the venue refuses it permanently: its gap stays open, and the socket's other data does not wait for it.
   */
  readonly isOutOfReach?: (instrument: string) => boolean;
  /**
   * False when a state fetched over REST, requested at `requestedMs` (Unix ms by the venue's clock), shows something the
   * socket has not delivered. True where the session cannot tell; a matching state is recorded as proof up to then.
   */
  readonly follows?: (state: Resynced, requestedMs: number) => boolean;
  /** The latest timestamp (Unix ms) in any of the venue's messages or states: a lower bound of its clock. */
  readonly lastMessageMs?: () => number;
  /** Marks an instrument's state as untrusted, because a state fetched over REST shows that something was missed. */
  readonly distrust?: (instrument: string, reason: string) => Decoded;
};

/** `state` is null where the venue has none (any more). */
export type Resynced = { readonly instrument: string; readonly state: unknown };
