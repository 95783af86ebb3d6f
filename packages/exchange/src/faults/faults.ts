import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import type { RpcMethod } from "../polymarket/chain/rpc-methods.ts";
import { faultMethods } from "./chain/fault-methods.ts";
import type { FaultEndpoint } from "./fault-endpoint.ts";
import type { FaultPlan } from "./fault-plan.ts";
import { installHttpFaults } from "./http/install-http-faults.ts";
import { FrameFaults } from "./socket/frame-faults.ts";
import { type SocketTap, takeHandshake } from "./socket/socket-tap.ts";
import { Storm } from "./storm.ts";
import type { AddressInfo } from "node:net";
import type { Fault, FaultKind } from "./fault.ts";

/** Replaces the newest blocks of the Polygon node. */
type Reorg = (depth: number, shares: { moved_share: number; dropped_share: number }) => number;

/** Endpoints whose HTTP traffic consists of handshakes only. */
const SOCKETS_ALONE: ReadonlySet<FaultEndpoint> = new Set(["ws", "rtds", "jetstream"]);

interface Endpoint {
  names: readonly FaultEndpoint[];
  app: FastifyInstance;
}

/** The faults of all endpoints of an exchange. They do nothing until a plan is set and after it is cleared. */
export class Faults {
  readonly #storm: Storm;
  readonly #wall: () => number;
  readonly #endpoints: Endpoint[] = [];
  readonly #clients = new Map<WebSocket, FaultEndpoint>();
  readonly #stop: () => void;
  #reorg: Reorg | undefined;

  /** `wall` is real time, ms. */
  constructor(wall: () => number) {
    this.#wall = wall;
    this.#storm = new Storm(wall);
    this.#stop = this.#storm.onTick(() => this.#turn());
  }

  /** Sets what a `reorg` fault calls. */
  reorgBy(reorg: Reorg): void {
    this.#reorg = reorg;
  }

  /**
   * Applies the plan to an endpoint's HTTP, and to any websocket mounted on it under the name `socket`. Call it before
   * the routes are added.
   */
  prepare(endpoint: FaultEndpoint, app: FastifyInstance, socket: FaultEndpoint = endpoint): void {
    this.#endpoints.push({ names: [endpoint, socket], app });
    app.decorate("socketTap", this.#tap(socket));
    if (!SOCKETS_ALONE.has(endpoint)) installHttpFaults(app, endpoint, this.#storm, this.#wall);
  }

  /** Wraps the RPC methods of a node with the `lag` and `prune` faults. */
  readonly methods = (methods: ReadonlyMap<string, RpcMethod>): ReadonlyMap<string, RpcMethod> =>
    faultMethods(methods, this.#storm);

  /** Applies a plan, replacing the current one or in addition to it. Throws a RangeError for more than 256 faults. */
  set(plan: FaultPlan, isAdded: boolean = false): void {
    this.#storm.set(plan, isAdded);
  }

  clear(): void {
    this.#storm.clear();
  }

  status(): FaultStatus {
    return faultStatus(this.#storm);
  }

  /** Ends the plan; endpoints that are down stay down. Call it before the endpoints are closed. */
  close(): void {
    this.#storm.clear();
    this.#stop();
    for (const { app } of this.#endpoints) app.server.emit("faults-end");
  }

  #tap(endpoint: FaultEndpoint): SocketTap {
    return {
      takes: (request, socket) => this.#storm.isSet && takeHandshake(request, socket, endpoint, this.#storm),
      connected: (client) => {
        this.#clients.set(client, endpoint);
        client.once("close", () => this.#clients.delete(client));
        FrameFaults.on(client, endpoint, this.#storm);
      },
    };
  }

  #turn(): void {
    this.#cut();
    this.#restart();
    for (const running of this.#storm.due("reorg")) {
      const hit = this.#storm.strike(["reorg"], "rpc", "");
      if (hit?.running !== running || this.#reorg === undefined) continue;
      if (this.#reorg(hit.fault.depth, hit.fault) > 0) hit.landed();
    }
  }

  #cut(): void {
    for (const running of this.#storm.due("cut")) {
      for (const [client, endpoint] of this.#clients) {
        if (!this.#storm.active(["cut"], endpoint).includes(running)) continue;
        const hit = this.#storm.hit(running, endpoint);
        if (!hit.draw.chance(hit.fault.share)) continue;
        if (hit.fault.code === undefined) client.terminate();
        else client.close(hit.fault.code, "fault");
        hit.landed();
      }
    }
  }

  #restart(): void {
    for (const running of this.#storm.due("restart")) {
      for (const { names, app } of this.#endpoints) {
        const [endpoint] = names;
        if (endpoint === undefined || !this.#storm.active(["restart"], endpoint).includes(running)) continue;
        const hit = this.#storm.hit(running, endpoint);
        if (!hit.draw.chance(hit.fault.share)) continue;
        const clients = [...this.#clients].filter(([, name]) => names.includes(name)).map(([client]) => client);
        if (restartEndpoint(app, clients, hit.fault.down_seconds)) hit.landed();
      }
    }
  }
}

/**
 * Closes an endpoint's listener and every connection, and listens on the same port again after `seconds`. False if it
 * is already down.
 */
function restartEndpoint(app: FastifyInstance, clients: Iterable<WebSocket>, seconds: number): boolean {
  const { server } = app;
  if (!server.listening) return false;
  const { address, port } = server.address() as AddressInfo;
  server.close();
  server.closeAllConnections();
  for (const client of clients) client.terminate();
  const timer = setTimeout(() => server.listen({ host: address, port }), seconds * 1000);
  server.once("faults-end", () => clearTimeout(timer));
  return true;
}

/** The current plan and its counts: the response of `GET /faults`. */
export interface FaultStatus {
  /** Null without a plan. */
  plan: { seed: number; faults: Fault[] } | null;
  faults: { kind: FaultKind; active: boolean; since_seconds: number; injected: number }[];
  /** How often each kind actually changed something, by endpoint. */
  injected: Partial<Record<FaultKind, Partial<Record<FaultEndpoint, number>>>>;
}

/** Returns the status of the current plan. Counts of a replaced or cleared plan are lost. */
export function faultStatus(storm: Storm): FaultStatus {
  const injected: FaultStatus["injected"] = {};
  for (const { fault, injected: times } of storm.running) {
    const counts = (injected[fault.kind] ??= {});
    for (const [endpoint, count] of times) counts[endpoint] = (counts[endpoint] ?? 0) + count;
  }
  const faults = storm.running.map((running) => ({
    kind: running.fault.kind,
    active: storm.isActive(running),
    since_seconds: storm.elapsed(running),
    injected: [...running.injected.values()].reduce((sum, count) => sum + count, 0),
  }));
  const plan = storm.isSet ? { seed: storm.seed, faults: storm.running.map(({ fault }) => fault) } : null;
  return { plan, faults, injected };
}
