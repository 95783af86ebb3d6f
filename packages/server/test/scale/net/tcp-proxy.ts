import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { OneWay, type Lane } from "./one-way.ts";
import type { Weather } from "./weather.ts";

export type TcpProxy = {
  readonly port: number;
  /** Changes the weather from now on, also for open connections. */
  readonly turn: (weather: Weather) => void;
  /** Connections accepted so far. */
  readonly accepted: () => number;
  readonly close: () => Promise<void>;
};

type Target = {
  readonly host?: string;
  readonly port: number;
  /** Ends connections normally where they would be reset. */
  readonly neverResets?: boolean;
};

/**
 * Proxies a server on loopback and simulates the network: it can be cut, silent, slow and throttled. Healthy at first.
 */
export async function openTcpProxy({
  host = "127.0.0.1",
  port: targetPort,
  neverResets = false,
}: Target): Promise<TcpProxy> {
  let weather: Weather = {};
  let accepted = 0;
  const now = (): Weather => weather;
  const lanes = { up: { freeAt: 0 }, down: { freeAt: 0 } };
  const links = new Set<Link>();
  const drop = neverResets ? endWell : reset;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
    accepted += 1;
    if (weather.isCut) {
      drop(client);
      return;
    }
    const link = new Link(client, () => connect({ host, port: targetPort, noDelay: true, allowHalfOpen: true }), {
      lanes,
      weather: now,
      drop,
      onEnd: () => links.delete(link),
    });
    links.add(link);
    link.look();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    turn: (next) => {
      weather = next;
      for (const link of links) link.look();
    },
    close: () => {
      for (const link of links) link.end();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

type LinkOptions = {
  readonly lanes: { readonly up: Lane; readonly down: Lane };
  readonly weather: () => Weather;
  readonly drop: (socket: Socket) => void;
  readonly onEnd: () => void;
};

/** One connection. Connects to the server once the weather lets the first packet through. */
class Link {
  readonly #client: Socket;
  readonly #call: () => Socket;
  readonly #options: LinkOptions;
  #server: Socket | undefined;
  #calling: NodeJS.Timeout | undefined;
  #ways: readonly OneWay[] = [];

  constructor(client: Socket, call: () => Socket, options: LinkOptions) {
    [this.#client, this.#call, this.#options] = [client, call, options];
    this.#watch(client);
  }

  look(): void {
    const { isCut = false, isSilent = false, delayMs = 0 } = this.#options.weather();
    if (isCut) this.end();
    else if (this.#server) for (const way of this.#ways) way.look();
    else if (!isSilent) this.#calling ??= setTimeout(() => this.#open(), delayMs);
  }

  /** Closes both ends. */
  end(): void {
    clearTimeout(this.#calling);
    for (const way of this.#ways) way.stop();
    for (const socket of [this.#client, this.#server]) if (socket) this.#options.drop(socket);
    this.#options.onEnd();
  }

  #open(): void {
    this.#calling = undefined;
    if (this.#client.destroyed || this.#options.weather().isSilent) return;
    const { lanes, weather } = this.#options;
    const server = this.#call();
    this.#server = server;
    this.#watch(server);
    this.#ways = [
      new OneWay(this.#client, server, lanes.up, weather),
      new OneWay(server, this.#client, lanes.down, weather),
    ];
    this.look();
  }

  /** A normal end on one side is forwarded in order (see OneWay); any other drops the connection. */
  #watch(socket: Socket): void {
    socket.on("error", () => this.end());
    socket.on("close", () => {
      if (this.#client.destroyed && this.#server?.destroyed !== false) this.#options.onEnd();
    });
  }
}

function reset(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy();
}

/** Reads on until the peer ends too, because a socket closed with bytes unread resets its peer. */
function endWell(socket: Socket): void {
  if (socket.destroyed) return;
  socket.removeAllListeners("data");
  socket.on("end", () => socket.destroy());
  socket.resume();
  socket.end();
}
