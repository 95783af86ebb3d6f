import type { Server } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import { placeOf, memoryLimiter } from "../access/limiter.ts";
import type { Bounds } from "./bounds.ts";
import type { ClosedFor, HttpMetrics } from "./http-metrics.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CallerError } from "../definition/errors.ts";

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
  /** A client may send requests before the earlier ones of its connection are answered. */
  const inFlight = new WeakMap<Socket, number>();
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
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (inFlight.get(socket) ?? 1) - 1;
      inFlight.set(socket, left);
      if (socket.destroyed || left > 0) return;
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

type Hold = (request: FastifyRequest, reply: FastifyReply, error: unknown) => Promise<void>;

/**
 * Delays a 401 or 429 once the caller's address received too many within the last second: a client that retries after
 * every answer then sends at most one request per second on each connection, instead of as many as the process can
 * refuse. If further ones of the connection were delayed meanwhile, it is closed after the first: requests can be sent
 * before earlier ones are answered.
 */
export function holdRefusals(
  { maxRefusalsOfOne, refusalHoldMs }: Pick<Bounds, "maxRefusalsOfOne" | "refusalHoldMs">,
  { refusalHeld }: Pick<HttpMetrics, "refusalHeld">,
): Hold {
  const refusals = memoryLimiter({ keyPrefix: "refusals", points: maxRefusalsOfOne, duration: 1 });
  const held = new WeakMap<Socket, number>();
  return async ({ ip, state, raw: { socket } }, reply, error) => {
    if (!(error instanceof CallerError) || (error.status !== 401 && error.status !== 429)) return;
    const isOver = await refusals.consume(placeOf(ip)).then(
      () => false,
      () => true,
    );
    if (!isOver) return;
    refusalHeld();
    const from = performance.now();
    held.set(socket, (held.get(socket) ?? 0) + 1);
    await sleep(refusalHoldMs);
    const others = (held.get(socket) ?? 1) - 1;
    held.set(socket, others);
    if (others > 0) reply.header("connection", "close");
    state.heldMs = performance.now() - from;
  };
}
