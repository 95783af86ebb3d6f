import type { z } from "zod";
import type { Call, Feed } from "../../../src/definition/connector.ts";
import { noListening } from "../../fixtures/no-listening.ts";

const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** A feed without budget or retries: one HTTP request a call, parsed. */
export function httpFeed(base: string): Feed {
  const read = async <T extends z.ZodType>(call: Call, reply: T, init: RequestInit) => {
    const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
    const response = await fetch(`${base}${call.path}?${query.toString()}`, init);
    if (call.absentOn?.includes(response.status)) return undefined;
    if (!response.ok) throw new Error(`${call.path}: ${response.status} ${await response.text()}`);
    return reply.parse(await response.json());
  };
  return {
    get: (call, reply) => read(call, reply, {}),
    post: (call, reply) => read(call, reply, json(call.body)),
    listen: noListening,
    rpc: async (method, params, reply) => {
      const response = await fetch(base, json({ jsonrpc: "2.0", id: 1, method, params }));
      const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
      if (answer.error !== undefined) throw new Error(answer.error.message);
      return reply.parse(answer.result);
    },
  };
}
