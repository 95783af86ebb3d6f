import type { z } from "zod";
import type { Call, Feed } from "../../../src/definition/connector.ts";
import { noListening } from "../../fixtures/no-listening.ts";

/** A feed without budget or retries: one HTTP request a call, parsed. `calls` records the requests. */
export function httpFeed(base: string): Feed & { readonly calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    get: async <T extends z.ZodType>(call: Call, reply: T) => {
      calls.push(call);
      const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
      const response = await fetch(`${base}${call.path}?${query.toString()}`);
      if (call.absentOn?.includes(response.status)) return undefined;
      if (!response.ok)
        throw new Error(`${call.path}?${query.toString()}: ${response.status} ${await response.text()}`);
      return reply.parse(await response.json());
    },
    post: () => Promise.reject(new Error("Kalshi's market data is only read")),
    rpc: () => Promise.reject(new Error("Kalshi speaks no JSON-RPC")),
    listen: noListening,
  };
}
