import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { addressOf, type Got, type Target } from "./target.ts";

const AT_ONCE = 100;
const PAUSE_MS = 20;

/** Holds this many silent connections and reopens closed ones; returns how many were opened and held. */
export async function openIdle({ baseUrl, idleSockets }: Target, signal: AbortSignal): Promise<Got> {
  const { hostname: host, port } = new URL(baseUrl);
  const held = new Set<Socket>();
  const waiting = new Set<Socket>();
  let [opened, failed, maxHeld] = [0, 0, 0];
  const open = (): void => {
    const socket = connect({ host, port: Number(port), localAddress: addressOf("idle") });
    waiting.add(socket);
    socket.on("connect", () => {
      waiting.delete(socket);
      opened += 1;
      held.add(socket);
      maxHeld = Math.max(maxHeld, held.size);
    });
    socket.on("error", () => (failed += 1));
    socket.on("close", () => {
      waiting.delete(socket);
      held.delete(socket);
    });
    socket.resume();
  };
  while (!signal.aborted) {
    const lacking = Math.min(AT_ONCE, idleSockets - held.size - waiting.size);
    for (let index = 0; index < lacking; index += 1) open();
    await sleep(PAUSE_MS);
  }
  const heldAtEnd = held.size;
  for (const socket of [...held, ...waiting]) socket.destroy();
  return { opened, failed, "most held": maxHeld, "held at the end": heldAtEnd };
}
