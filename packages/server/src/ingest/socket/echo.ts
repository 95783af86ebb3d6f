import type { WebSocket } from "ws";
import type { Clock } from "../clock.ts";

/** Time (Unix ms, row time) up to which everything the venue sent has provably arrived; undefined until it answers. */
export type Echo = () => number | undefined;

/** Default ping interval. */
export const ECHO_MS = 1000;

type EchoOptions = {
  readonly clock: Clock;
  readonly venueNow: () => number;
  readonly everyMs?: number | undefined;
  readonly signal: AbortSignal;
};

/** After this time (ms) an unanswered ping is given up, and another one is sent. */
const GIVEN_UP_MS = 30_000;

/**
 * Pings the venue regularly, one ping at a time. A pong follows all frames sent before it (RFC 6455 requires the
 * answer, TCP keeps the order), so once it is here these are. An empty read queue proves less: if a process was paused
 * for seconds, here or there, frames may still be in transit.
 */
export function keepEcho(socket: WebSocket, { clock, venueNow, everyMs = ECHO_MS, signal }: EchoOptions): Echo {
  let requested: { readonly mark: string; readonly venueMs: number; readonly at: number } | undefined;
  let through: number | undefined;
  let number = 0;
  socket.on("pong", (mark) => {
    if (requested === undefined || mark.toString("utf8") !== requested.mark) return;
    through = requested.venueMs;
    requested = undefined;
  });
  const ask = async (): Promise<void> => {
    while (!signal.aborted) {
      const isGivenUp = requested !== undefined && clock.monotonicMs() - requested.at >= GIVEN_UP_MS;
      if (socket.readyState === socket.OPEN && (requested === undefined || isGivenUp)) {
        requested = { mark: String((number += 1)), venueMs: venueNow(), at: clock.monotonicMs() };
        socket.ping(requested.mark);
      }
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  };
  void ask();
  return () => through;
}
