import { openTcpProxy, type TcpProxy } from "../../packages/server/test/scale/net/tcp-proxy.ts";
import type { Weather } from "../../packages/server/test/scale/net/weather.ts";

type Link = { readonly from: string; readonly to: string; readonly proxy: TcpProxy };

/** Whether a name is meant: itself, or by what stands before a trailing *. */
export const isMeant = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Every connection between two parts goes through one of these. */
export class Links {
  readonly #links: Link[] = [];

  /** The port by which `from` reaches what listens on `port`. */
  async open(from: string, to: string, port: number): Promise<number> {
    const proxy = await openTcpProxy({ port });
    this.#links.push({ from, to, proxy });
    return proxy.port;
  }

  /** The same for an address: it is given back with the port exchanged. */
  async openUrl(from: string, to: string, address: string): Promise<string> {
    const url = new URL(address);
    const port = await this.open(from, to, Number(url.port));
    return address.replace(`:${url.port}`, `:${port}`);
  }

  /** How many links were meant. */
  turn(from: string, to: string, weather: Weather): number {
    const meant = this.#links.filter((link) => isMeant(from, link.from) && isMeant(to, link.to));
    for (const { proxy } of meant) proxy.turn(weather);
    return meant.length;
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map(({ proxy }) => proxy.close()));
  }
}
