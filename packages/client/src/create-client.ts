import { createClientOver, type Client } from "./create-client-over.ts";
import type { SendOptions } from "./send.ts";
import { keyTransport } from "./transport.ts";

export type ClientOptions = SendOptions & {
  /** Base URL of the service, e.g. "https://almanac.example". */
  readonly baseUrl: string;
  /** An API key. Keep it out of code and out of browsers. */
  readonly key: string;
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch;
};

/** Creates a client for a service, with an API key. */
export function createClient({ baseUrl, key, fetch: fetchIt = fetch, ...send }: ClientOptions): Client {
  if (key.trim() === "") throw new TypeError("key is empty: give the API key, e.g. from ALMANAC_API_KEY");
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl is "${baseUrl}": it begins with http:// or https://`);
  return createClientOver(keyTransport(baseUrl, key, fetchIt), send);
}
