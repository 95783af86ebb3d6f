import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { PlayChain } from "./play-chain.ts";

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

/** A node over HTTP: single calls and batches. */
export async function serveChain(chain: PlayChain): Promise<{ readonly url: string; readonly close: () => void }> {
  const answer = ({ id, method, params }: Call) => {
    try {
      return { jsonrpc: "2.0", id, result: chain.answer(method, params) };
    } catch (error) {
      return { jsonrpc: "2.0", id, error: { code: -32_000, message: String(error) } };
    }
  };
  const server = createServer((request, response) => {
    void (async () => {
      const calls = JSON.parse((await readBody(request)).toString("utf8")) as Call | Call[];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)));
    })();
  });
  const url = await listen(server);
  return { url, close: () => closeAll(server) };
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeAll(server: Server): void {
  server.closeAllConnections();
  server.close();
}
