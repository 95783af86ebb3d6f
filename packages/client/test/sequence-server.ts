import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };
type Requested = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: unknown };

export type SequenceServer = {
  readonly url: string;
  readonly requested: Requested[];
  readonly close: () => Promise<void>;
};

/** Sends the replies in order and repeats the last one; "hang" never answers. */
export async function openSequence(...replies: readonly (Reply | "hang")[]): Promise<SequenceServer> {
  const requested: Requested[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const reply = replies[Math.min(requested.length, replies.length - 1)];
      requested.push({ url: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
      if (reply === undefined || reply === "hang") return;
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? "{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
