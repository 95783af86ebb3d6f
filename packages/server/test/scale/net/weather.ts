/** The current state of a link. `{}` is healthy. */
export type Weather = {
  /** Nothing arrives in either direction, without any error: data sent is delivered after recovery. */
  readonly isSilent?: boolean;
  /** Open connections are reset, and new ones at once. */
  readonly isCut?: boolean;
  /** Added to a round trip, half of it each way. */
  readonly delayMs?: number;
  /** Maximum deviation from `delayMs`. */
  readonly jitterMs?: number;
  /** Shared by all connections, each way. */
  readonly bytesPerSecond?: number;
};
