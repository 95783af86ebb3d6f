/** How a link is now. `{}` is a healthy one. */
export type Weather = {
  /** Nothing arrives any more, in neither direction, and nobody is told: what was sent waits until it clears up. */
  readonly isSilent?: boolean;
  /** Connections are reset, and new ones at once. */
  readonly isCut?: boolean;
  /** Added to a round trip, half of it each way. */
  readonly delayMs?: number;
  /** At most so much more or less than `delayMs`. */
  readonly jitterMs?: number;
  /** Of all connections together, each way. */
  readonly bytesPerSecond?: number;
};
