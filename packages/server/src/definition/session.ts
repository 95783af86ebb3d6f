import type { TableRows } from "./connector.ts";

/** What a socket connector makes of one frame. */
export type Decoded = {
  readonly rows: readonly TableRows[];
  /** The venue's own timestamp of the first row (Unix ms), where the stored row may carry a corrected one. */
  readonly venueMs?: number | undefined;
  /** Keys of rows that other streams will bring: it wakes those (see WokenBy). */
  readonly heard?: readonly string[];
  /**
   * Instruments whose state is no longer trusted: resynced by `resync` at once. `since` is the venue's moment (Unix ms)
   * at which it was last known to be right; the frame before this one when absent.
   */
  readonly broken?: readonly { readonly instrument: string; readonly reason: string; readonly since?: number }[];
  /** Instruments that the stream itself made whole again. */
  readonly restored?: readonly string[];
  /** Frames to send back on the same socket at once (a snapshot asked for in the stream's own order). */
  readonly send?: readonly string[];
};

/** One live session over one socket; holds whatever state continuity needs (books, sequence numbers). */
export type Session = {
  /** Frames to send right after the socket opened, and whenever the instruments change. */
  readonly subscribe: (instruments: readonly string[]) => readonly string[];
  readonly unsubscribe: (instruments: readonly string[]) => readonly string[];
  /** Throws a zod error for a frame of a wrong shape: the frame is parked, the session goes on. */
  readonly decode: (frame: string, receivedMs: number) => Decoded;
  /** Takes a full state fetched over REST, at `receivedMs` by the venue's clock. */
  readonly adopt: (state: Resynced, receivedMs: number) => Decoded;
  /** False for an instrument that a fetched state does not make whole: the session says when it is (`restored`). */
  readonly isWhole?: (instrument: string) => boolean;
  /**
   * True for an instrument that is not whole and that neither the stream nor a fetched state can make so for now, e.g.
   * because the venue refuses it for good: its gap lasts, and what else the socket brings does not wait for it.
   */
  readonly isOutOfReach?: (instrument: string) => boolean;
  /**
   * False when a state fetched over REST shows what the socket has not told: it was asked for at `askedMs` (Unix ms by
   * the venue's clock). True where the session cannot tell; a state that agrees is remembered as proof up to then.
   */
  readonly follows?: (state: Resynced, askedMs: number) => boolean;
  /** The latest moment (Unix ms) that the venue told of, in any message or state: its clock is at least there. */
  readonly heardMs?: () => number;
  /** Trusts an instrument's state no longer, since what was fetched over REST shows that something was missed. */
  readonly distrust?: (instrument: string, reason: string) => Decoded;
};

/** `state` is null where the venue has none (any more). */
export type Resynced = { readonly instrument: string; readonly state: unknown };
