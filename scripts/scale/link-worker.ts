// The proxies of a topology, on a thread of their own: what else its runner does delays no packet.
import { parentPort } from "node:worker_threads";
import { openTcpProxy, type TcpProxy } from "../../packages/server/test/scale/net/tcp-proxy.ts";
import type { Weather } from "../../packages/server/test/scale/net/weather.ts";

export type LinkOrder =
  | { readonly id: number; readonly kind: "open"; readonly target: number; readonly neverResets: boolean }
  | { readonly id: number; readonly kind: "turn"; readonly ports: readonly number[]; readonly weather: Weather };
/** `port` of a proxy that was opened; 0 for other orders. */
export type LinkDone = { readonly id: number; readonly port: number };

const proxies = new Map<number, TcpProxy>();

async function follow(order: LinkOrder): Promise<number> {
  if (order.kind === "open") {
    const proxy = await openTcpProxy({ port: order.target, neverResets: order.neverResets });
    proxies.set(proxy.port, proxy);
    return proxy.port;
  }
  for (const port of order.ports) proxies.get(port)?.turn(order.weather);
  return 0;
}

const answer = (done: LinkDone): void => parentPort?.postMessage(done, []);

parentPort?.on("message", (order: LinkOrder) => {
  void follow(order).then((port) => answer({ id: order.id, port }));
});
