import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { type Wants, wantsWire } from "./read-wants.ts";

export interface Handshake {
  wants: Wants;
  /** µs; undefined = from now on. */
  cursor: number | undefined;
  /** Nothing is sent before the first options message. */
  needs_hello: boolean;
}

const cursorWire = z
  .string()
  .regex(/^-?\d{1,18}$/, "invalid cursor")
  .transform(Number);

/** What a subscriber asks for in its address, or the sentence it is refused with. */
export function readHandshake(request: IncomingMessage): Handshake | string {
  const query = new URL(request.url ?? "/", "ws://paper").searchParams;
  if (query.get("compress") === "true" || request.headers["socket-encoding"] === "zstd") {
    return "compression is not played here: leave compress away";
  }
  const wants = wantsWire.safeParse({
    wantedCollections: query.getAll("wantedCollections"),
    wantedDids: query.getAll("wantedDids"),
    maxMessageSizeBytes: query.get("maxMessageSizeBytes") ?? undefined,
  });
  if (!wants.success) return z.prettifyError(wants.error);
  const asked = query.get("cursor");
  const cursor = cursorWire.optional().safeParse(asked === null || asked === "" ? undefined : asked);
  if (!cursor.success) return z.prettifyError(cursor.error);
  return { wants: wants.data, cursor: cursor.data, needs_hello: query.get("requireHello") === "true" };
}
