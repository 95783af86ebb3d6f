import type { Server } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import { placeOf } from "../access/place-of.ts";
import type { Bounds } from "./bounds.ts";
import type { ClosedFor } from "./http-metrics.ts";

type Options = {
  readonly bounds: Pick<Bounds, "maxConnections" | "maxConnectionsOfOne">;
  /** Addresses and CIDR ranges of proxies, each of which carries many clients. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Called for every connection closed to keep a bound. */
  readonly closed: (why: ClosedFor) => void;
};

/** Above this share of all connections a new one evicts the longest idle one. */
const PRESSURE = 0.9;

/**
 * Bounds the connections of each address: a new one beyond the bound evicts the address's longest idle one, and is
 * itself closed if all have a request.
 */
export function boundConnections(server: Server, { bounds, trustedProxies, closed }: Options): void {
  const isTrusted = trustedBy(trustedProxies ?? []);
  const pressure = bounds.maxConnections * PRESSURE;
  const of = new Map<string, { count: number; readonly idle: Set<Socket> }>();
  // A set keeps insertion order: the first is idle longest.
  const idle = new Set<Socket>();
  let total = 0;
  const idleOf = (socket: Socket): Set<Socket> | undefined => of.get(callerOf(socket))?.idle;
  const close = (socket: Socket, why: ClosedFor): void => {
    socket.destroy();
    closed(why);
  };
  server.on("connection", (socket) => {
    const caller = callerOf(socket);
    const own = of.get(caller) ?? { count: 0, idle: new Set() };
    of.set(caller, own);
    own.count += 1;
    total += 1;
    const isOver = own.count > bounds.maxConnectionsOfOne && caller !== "" && !isTrusted(socket);
    if (isOver) close(own.idle.values().next().value ?? socket, "one_address");
    else if (total > pressure) close(idle.values().next().value ?? socket, "all");
    own.idle.add(socket);
    idle.add(socket);
    socket.once("close", () => {
      own.count -= 1;
      total -= 1;
      own.idle.delete(socket);
      idle.delete(socket);
      if (own.count === 0) of.delete(caller);
    });
  });
  server.on("request", ({ socket }, response) => {
    idleOf(socket)?.delete(socket);
    idle.delete(socket);
    response.once("close", () => {
      if (socket.destroyed) return;
      idleOf(socket)?.add(socket);
      idle.add(socket);
    });
  });
}

/** Empty for a local socket. */
const callerOf = ({ remoteAddress = "" }: Socket): string => placeOf(remoteAddress);

function trustedBy(proxies: readonly string[]): (socket: Socket) => boolean {
  const list = new BlockList();
  for (const each of proxies) {
    const [address = "", prefix] = each.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return ({ remoteAddress = "" }) => list.check(remoteAddress, isIPv6(remoteAddress) ? "ipv6" : "ipv4");
}
