/** What a frame says without being parsed. */
export type Glance = {
  /** When the venue sent it, by the venue's clock (Unix ms). */
  readonly ms: number;
  /** False where nothing of it is needed but its moment: it is not parsed. */
  readonly isNeeded: boolean;
};

/** How a walk listens to a websocket of events that it can ask for again from a place of its own. */
export type ListenOptions = {
  /** Nothing for so long means a frozen socket: the walk ends with an error, and the next one goes on from its cursor. */
  readonly silentAfterSeconds: number;
  /** Undefined where a frame does not say: it is parsed. */
  readonly glance: (frame: string) => Glance | undefined;
  /** The moment (Unix ms) of a parsed frame that did not say it at a glance. */
  readonly momentOf?: (value: unknown) => number | undefined;
  /**
   * What kind of frame of a wrong shape this is, where its contents were written by a stranger who may write anything:
   * those of one are counted, and only those of several in a row, without one of the kind that is right, mean that the
   * venue changed. Undefined for all others.
   */
  readonly strangerOf?: (value: unknown) => Stranger | undefined;
};

export type Stranger = { readonly kind: string; readonly id: string };

/** What came since the last time, in the order of the socket. */
export type Heard<T> = {
  readonly events: readonly T[];
  /** The earliest and the latest moment of its frames, needed or not (Unix ms); undefined where none said. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
  /** Nothing more waits to be read, and the last frame was no older than seconds when it arrived. */
  readonly isLive: boolean;
  /** Frames that strangers wrote in a wrong shape. */
  readonly malformed: number;
};
