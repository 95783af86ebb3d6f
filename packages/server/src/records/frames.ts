import { deserialize, serialize } from "node:v8";
import type { Socket } from "node:net";

/** No frame of ours comes near it; a longer one is not from us. */
const MAX_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 4;

/** Writes a value as one frame: its length, then Node's structured clone (dates, bytes and nulls survive as they are). */
export function sendFrame(socket: Socket, value: unknown): void {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  socket.write(Buffer.concat([head, body]));
}

/** Calls `take` for every whole frame that arrives; destroys a socket whose frames are not ours. */
export function onFrames(socket: Socket, take: (value: unknown) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEAD_BYTES) {
      const length = pending.readUInt32BE(0);
      if (length > MAX_BYTES) return void socket.destroy(new Error("a frame is too long"));
      if (pending.length < HEAD_BYTES + length) return;
      const body = pending.subarray(HEAD_BYTES, HEAD_BYTES + length);
      pending = pending.subarray(HEAD_BYTES + length);
      try {
        take(deserialize(body));
      } catch (error) {
        return void socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    }
  });
}
