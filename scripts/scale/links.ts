import { Worker } from "node:worker_threads";
import type { Weather } from "../../packages/server/test/scale/net/weather.ts";
import type { LinkDone, LinkOrder } from "./link-worker.ts";

type Link = { readonly from: string; readonly to: string; readonly port: number };
type Asked = LinkOrder extends infer Order ? (Order extends LinkOrder ? Omit<Order, "id"> : never) : never;

/** Whether a name is meant: itself, or by what stands before a trailing *. */
export const isMeant = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Every connection between two parts goes through one of these. */
export class Links {
  readonly #links: Link[] = [];
  readonly #worker = new Worker(new URL("./link-worker.ts", import.meta.url));
  readonly #waiting = new Map<number, (port: number) => void>();
  #next = 1;

  constructor() {
    this.#worker.on("message", ({ id, port }: LinkDone) => {
      this.#waiting.get(id)?.(port);
      this.#waiting.delete(id);
    });
  }

  /** The port by which `from` reaches what listens on `target`; `neverResets`: a cut ends connections in good order. */
  async open(from: string, to: string, target: number, neverResets = false): Promise<number> {
    const port = await this.#order({ kind: "open", target, neverResets });
    this.#links.push({ from, to, port });
    return port;
  }

  /** The same for an address: it is given back with the port exchanged. */
  async openUrl(from: string, to: string, address: string): Promise<string> {
    const url = new URL(address);
    const port = await this.open(from, to, Number(url.port));
    return address.replace(`:${url.port}`, `:${port}`);
  }

  /** Throws where no link is meant. */
  async turn(from: string, to: string, weather: Weather): Promise<void> {
    const meant = this.#links.filter((link) => isMeant(from, link.from) && isMeant(to, link.to));
    if (meant.length === 0) throw new Error(`there is no link from ${from} to ${to}`);
    await this.#order({ kind: "turn", ports: meant.map(({ port }) => port), weather });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #order(asked: Asked): Promise<number> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ id, ...asked }, []);
    });
  }
}
