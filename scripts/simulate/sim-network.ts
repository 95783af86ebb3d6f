import { createHash } from "node:crypto";
import { Server, type IncomingMessage } from "node:http";
import net from "node:net";
import { Duplex } from "node:stream";
import type { Random } from "../campaign/random.ts";
import type { SimClock } from "./sim-clock.ts";
import { isSimulated } from "./sim-machine.ts";

/** Network behaviour of a run, in ms. */
export type NetworkMood = {
  readonly minMs: number;
  readonly maxMs: number;
  /** Share of chunks that take `stallMs` longer. */
  readonly stalledShare: number;
  readonly stallMs: number;
  /** Share of connections that silently drop everything sent after some chunk. */
  readonly deadShare: number;
};

type Link = { readonly clock: SimClock; readonly random: Random; readonly mood: NetworkMood };

const MAX_LIVELY_PIECES = 40;

/** One end of a connection: writes arrive at the other end after a delay, in order. */
class SimSocket extends Duplex {
  readonly #link: Link;
  #peer: SimSocket | undefined;
  #lastMs = 0;
  /** Number of further chunks that are delivered. */
  #left: number;
  connecting = false;
  readonly remoteAddress = "127.0.0.1";

  constructor(link: Link) {
    super({ allowHalfOpen: false });
    this.#link = link;
    const { random, mood } = link;
    this.#left = random.chance(mood.deadShare) ? random.whole(1, MAX_LIVELY_PIECES) : Number.POSITIVE_INFINITY;
    this.on("error", () => undefined);
  }

  pair(peer: SimSocket): void {
    this.#peer = peer;
  }

  override _read(): void {
    // Chunks are pushed when they arrive.
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#left -= 1;
    if (this.#left > 0) this.#later((peer) => void peer.push(piece));
    done();
  }

  override _final(done: () => void): void {
    this.#later((peer) => void peer.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#later((peer) => peer.destroy(error === null ? undefined : cut("ECONNRESET")));
    done(error);
  }

  resetAndDestroy(): this {
    this.#later((peer) => void peer.destroy(cut("ECONNRESET")));
    return this.destroy();
  }

  /** The rest of the socket interface that callers use. */
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  setTimeout(ms: number, then?: () => void): this {
    if (then) this.once("timeout", then);
    if (ms > 0) this.#link.clock.after(ms, () => void (this.destroyed || this.bytesCame || this.emit("timeout")));
    return this;
  }

  get bytesCame(): boolean {
    return this.readableDidRead;
  }

  #later(what: (peer: SimSocket) => void): void {
    const { clock, random, mood } = this.#link;
    const ms = random.whole(mood.minMs, mood.maxMs) + (random.chance(mood.stalledShare) ? mood.stallMs : 0);
    // Keeps chunks in order.
    this.#lastMs = Math.max(this.#lastMs, clock.now() + ms);
    clock.after(this.#lastMs - clock.now(), () => {
      if (this.#peer !== undefined && !this.#peer.destroyed) what(this.#peer);
    });
  }
}

const cut = (code: string): Error => Object.assign(new Error(code), { code });

const real = { connect: net.connect, listen: net.Server.prototype.listen };
const servers = new Map<number, Server>();
let network: SimNetwork | undefined;

/** The connections of a run, to any server of this process, in memory only. */
export class SimNetwork {
  readonly #link: Link;
  readonly #listeners = new Map<number, string>();
  readonly #trace = createHash("sha256");
  readonly #open = new Set<SimSocket>();
  #requests = 0;

  constructor(link: Link) {
    this.#link = link;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Digest of every request that arrived, where and when: differs between differing runs. */
  digest(): string {
    return this.#trace.copy().digest("hex").slice(0, 16);
  }

  /** Breaks every connection, as when the process that made them is killed. */
  cutAll(): void {
    for (const socket of this.#open) socket.destroy(cut("ECONNRESET"));
  }

  connect(port: number, server: Server): SimSocket {
    const [client, far] = [new SimSocket(this.#link), new SimSocket(this.#link)];
    client.connecting = true;
    client.pair(far);
    far.pair(client);
    this.#open.add(client);
    client.once("close", () => this.#open.delete(client));
    this.#hear(port, server);
    this.#link.clock.after(this.#link.random.whole(1, 5), () => {
      client.connecting = false;
      if (client.destroyed) return;
      if (!server.listening) return void client.destroy(cut("ECONNREFUSED"));
      server.emit("connection", far);
      client.emit("connect");
    });
    return client;
  }

  #hear(port: number, server: Server): void {
    if (this.#listeners.has(port)) return;
    const listener = `listener${this.#listeners.size}`;
    this.#listeners.set(port, listener);
    const note = ({ method, url, headers }: IncomingMessage): void => {
      this.#requests += 1;
      this.#trace.update(`${this.#link.clock.now()} ${listener} ${method} ${url} ${headers["content-length"] ?? ""}\n`);
    };
    server.prependListener("request", note);
    server.prependListener("upgrade", note);
  }
}

/** Routes connections to servers of this process over the network of the current run; call once. */
export function takeNetwork(): void {
  net.Server.prototype.listen = function listen(this: net.Server, ...given: Parameters<typeof real.listen>) {
    this.once("listening", () => {
      const address = this.address();
      // Other servers only probe for a free port.
      if (this instanceof Server && typeof address === "object" && address !== null) servers.set(address.port, this);
    });
    return real.listen.apply(this, given);
  } as typeof real.listen;
  const connect = (...given: unknown[]): unknown => {
    const [{ port, timeout = 0 } = {}] = given as [{ port?: string | number; timeout?: number }?];
    const server = servers.get(Number(port));
    if (!isSimulated() || network === undefined || server === undefined)
      return (real.connect as (...all: unknown[]) => unknown)(...given);
    return network.connect(Number(port), server).setTimeout(timeout);
  };
  net.connect = connect as typeof net.connect;
}

/** Routes connections over that network from now on. */
export function connectOver(next: SimNetwork | undefined): void {
  network?.cutAll();
  network = next;
}
