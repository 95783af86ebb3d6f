/** The content of a frame that can be read without parsing it. */
export type Glance = {
  /** When the venue sent it, by the venue's clock (Unix ms). */
  readonly ms: number;
  /** False where only its timestamp is needed: it is not parsed. */
  readonly isNeeded: boolean;
};

/** How a walk listens to a websocket of events that it can request again from a cursor of its own. */
export type ListenOptions = {
  /** No frame for this long means a frozen socket: the walk throws, and the next one continues from its cursor. */
  readonly silentAfterSeconds: number;
  /** Returns undefined where the frame must be parsed to know. */
  readonly glance: (frame: string) => Glance | undefined;
  /** The timestamp (Unix ms) of a parsed frame without a glance. */
  readonly timestampOf?: (value: unknown) => number | undefined;
  /**
   * Classifies a frame of a wrong shape whose contents third parties may write freely: frames of one author are only
   * counted, and only several authors in a row, with no valid frame of that kind between, mean that the venue changed.
   * Undefined for all other frames.
   */
  readonly strangerOf?: (value: unknown) => Stranger | undefined;
};

export type Stranger = { readonly kind: string; readonly id: string };

/** Events received since the last yield, in socket order. */
export type Listener<T> = {
  readonly events: readonly T[];
  /** Earliest and latest timestamp of its frames, needed or not (Unix ms); undefined where none has one. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
  /** Nothing is waiting to be read, and the last frame was at most seconds old when it arrived. */
  readonly isLive: boolean;
  /** Number of frames of a wrong shape written by third parties. */
  readonly malformed: number;
};
