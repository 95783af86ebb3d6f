import { WebSocket } from "ws";

/** A Jetstream frame as received. */
export type Frame = {
  did: string;
  time_us: number;
  kind: "commit" | "identity" | "account";
  commit?: {
    rev: string;
    operation: "create" | "update" | "delete";
    collection: string;
    rkey: string;
    cid?: string;
    record?: Record<string, unknown> & { text?: string; createdAt: string };
  };
  identity?: { did: string; handle: string; seq: number; time: string };
  account?: { did: string; active: boolean; seq: number; status?: string; time: string };
};

export type Line = { socket: WebSocket; frames: Frame[]; closed: Promise<number>; refused: Promise<string> };

/** A plain client that records the frames it receives. */
export function openLine(url: string, query: Record<string, string | string[]> = {}): Line {
  const address = new URL(url);
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) address.searchParams.append(name, value);
  }
  const socket = new WebSocket(address);
  const frames: Frame[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  const refused = new Promise<string>((resolve) => {
    socket.once("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += String(chunk)));
      response.once("end", () => resolve(`${response.statusCode} ${body}`));
    });
  });
  socket.on("error", () => {});
  return { socket, frames, closed, refused };
}

/** Names a commit frame by operation, collection and key, and any other frame by its kind. */
export function named(frame: Frame): string {
  const { kind, commit } = frame;
  return commit === undefined ? kind : `${commit.operation} ${commit.collection}/${commit.rkey}`;
}
