import { randomBytes } from "node:crypto";
import { type WebSocket, WebSocketServer } from "ws";
import type { ChainWorld } from "../../world/chain-contract.ts";
import { answerRpc } from "./answer-rpc.ts";
import type { HeadWatch, HeadWatcher } from "./head-watch.ts";
import { findLogs, logChooser, type LogFilter, logFilter } from "./log-query.ts";
import { RpcError } from "./rpc-error.ts";
import type { RpcMethod } from "./rpc-methods.ts";
import { wireHeader } from "./wire-block.ts";

const mostSubscriptions = 100;
const mostLogs = 100_000;

/** JSON-RPC over a websocket: every method of HTTP, and eth_subscribe for newHeads and logs. A server without a port. */
export function rpcSocket(
  chain: ChainWorld,
  methods: ReadonlyMap<string, RpcMethod>,
  heads: HeadWatch,
): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: 4 * 1024 * 1024 });
  server.on("connection", (socket) => {
    const stops = new Map<string, () => void>();
    const own = new Map(methods);
    own.set("eth_subscribe", ([kind, filter]) => subscribe(chain, heads, socket, stops, kind, filter));
    own.set("eth_unsubscribe", ([id]) => unsubscribe(stops, String(id)));
    socket.on("message", (data, isBinary) => {
      const body = isBinary ? undefined : readJson(String(data));
      socket.send(JSON.stringify(answerRpc(own, body)));
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      for (const stop of stops.values()) stop();
      stops.clear();
    });
  });
  return server;
}

function subscribe(
  chain: ChainWorld,
  heads: HeadWatch,
  socket: WebSocket,
  stops: Map<string, () => void>,
  kind: unknown,
  asked: unknown,
): string {
  if (stops.size >= mostSubscriptions) throw new RpcError(-32000, "too many subscriptions");
  const subscription = `0x${randomBytes(16).toString("hex")}`;
  const tell: Tell = (result) =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } }));
  if (kind === "newHeads") stops.set(subscription, heads.watch(headTeller(tell)));
  else if (kind === "logs") stops.set(subscription, heads.watch(logTeller(chain, readFilter(asked), tell)));
  else throw new RpcError(-32601, `no "${String(kind)}" subscription in eth namespace`);
  return subscription;
}

type Tell = (result: unknown) => void;

function headTeller(tell: Tell): HeadWatcher {
  return { block: (block) => tell(wireHeader(block)), left: () => undefined };
}

/** Logs of new blocks; those of blocks left come again with `removed: true`. */
function logTeller(chain: ChainWorld, filter: LogFilter, tell: Tell): HeadWatcher {
  const choose = logChooser(filter);
  return {
    block({ number }) {
      for (const log of findLogs(chain, filter, number, number, mostLogs)) tell(log);
    },
    left(blocks) {
      for (const { block, logs } of blocks) {
        for (const log of choose(logs, block)) tell(Object.assign(log, { removed: true }));
      }
    },
  };
}

function readFilter(asked: unknown): LogFilter {
  const parsed = logFilter.safeParse(asked ?? {});
  if (!parsed.success) throw new RpcError(-32602, "invalid argument 1: filter");
  return parsed.data;
}

function unsubscribe(stops: Map<string, () => void>, id: string): boolean {
  stops.get(id)?.();
  return stops.delete(id);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
