import type { WebSocket } from "ws";
import { readRecordedMessages } from "./read-recorded-messages.ts";

/** Bytes that may wait in a socket before the replay waits for them to go. */
const WAITING_BYTES = 1024 * 1024;

/** Sends every recorded frame about the assets as fast as the socket drains; ends early when it closes. Returns how many. */
export async function replay(dir: string, assets: ReadonlySet<string>, socket: WebSocket): Promise<number> {
  let sent = 0;
  for await (const message of readRecordedMessages(dir, { assets })) {
    if (socket.readyState !== socket.OPEN) return sent;
    if (socket.bufferedAmount > WAITING_BYTES) await written(socket, message.frame);
    else socket.send(message.frame);
    sent += 1;
  }
  return sent;
}

/** Resolves when the frame has been handed to the system; a closed socket is seen by the next turn of the replay. */
function written(socket: WebSocket, frame: string): Promise<void> {
  return new Promise((resolve) => {
    socket.send(frame, () => resolve());
  });
}
