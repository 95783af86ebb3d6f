import type { WebSocket } from "ws";
import type { Clock } from "../clock.ts";

/** Up to when (Unix ms, by the clock of rows) all that the venue sent has arrived, as far as it answered; else undefined. */
export type Echo = () => number | undefined;

/** How often it pings where nothing else is said. */
export const ECHO_MS = 1000;

type EchoOptions = {
  readonly clock: Clock;
  readonly venueNow: () => number;
  readonly everyMs?: number | undefined;
  readonly signal: AbortSignal;
};

/** A ping without an answer is given up, and another one sent. */
const GIVEN_UP_MS = 30_000;

/**
 * Pings the venue regularly, one ping at a time. A pong comes behind all frames that were sent before it (RFC 6455
 * has it answered, TCP keeps the order), so when it is here these are. That nothing waits to be read proves less: a process
 * that was held for seconds, here or there, has frames on the way of which it knows nothing.
 */
export function keepEcho(socket: WebSocket, { clock, venueNow, everyMs = ECHO_MS, signal }: EchoOptions): Echo {
  let asked: { readonly mark: string; readonly venueMs: number; readonly at: number } | undefined;
  let through: number | undefined;
  let number = 0;
  socket.on("pong", (mark) => {
    if (asked === undefined || mark.toString("utf8") !== asked.mark) return;
    through = asked.venueMs;
    asked = undefined;
  });
  const ask = async (): Promise<void> => {
    while (!signal.aborted) {
      const isGivenUp = asked !== undefined && clock.monotonicMs() - asked.at >= GIVEN_UP_MS;
      if (socket.readyState === socket.OPEN && (asked === undefined || isGivenUp)) {
        asked = { mark: String((number += 1)), venueMs: venueNow(), at: clock.monotonicMs() };
        socket.ping(asked.mark);
      }
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  };
  void ask();
  return () => through;
}
