import type { z } from "zod";
import type { Call, Feed } from "../../src/definition/connector.ts";
import { readPage, type RefusedRow } from "../../src/definition/read-page.ts";
import { noListening } from "../fixtures/no-listening.ts";

/** Fields that still identify a row once the others have drifted. */
const KEPT = new Set([
  "trade_id",
  "ticker",
  "created_time",
  "event_ticker",
  "market_ticker",
  "end_period_ts",
  "id",
  "objectID",
  "created_at",
  "created_at_i",
  "seendate",
  "url",
  "conditionId",
  "updatedAt",
  "transactionHash",
  "transaction_hash",
  "timestamp",
  "blockTimestamp",
]);

export type Drifted = { readonly path: string; readonly original: unknown; readonly refused: readonly RefusedRow[] };

type Ask = (call: Call, method: "GET" | "POST") => Promise<unknown>;

/** A feed in which the second row of every list has drifted: all its fields but a few have another type. */
export function driftingFeed(ask: Ask, drifted: Drifted[]): Feed {
  const read = async <T extends z.ZodType>(path: string, original: unknown, reply: T): Promise<z.output<T>> => {
    const value: unknown = structuredClone(original);
    spoil(value);
    const page = readPage(reply, value);
    if (page.kind === "refused")
      throw new Error(`${path} was refused whole: ${page.wrong.field} ${page.wrong.problem}`);
    if (page.kind === "partial") drifted.push({ path, original, refused: page.refused });
    return page.data;
  };
  return {
    get: async (call, reply) => {
      const value = await ask(call, "GET");
      return value === undefined ? undefined : read(pathOf(call), value, reply);
    },
    post: async (call, reply) => read(call.path, await ask(call, "POST"), reply),
    listen: noListening,
    rpc: async (method, params, reply) => {
      const body = { jsonrpc: "2.0", id: 1, method, params };
      const answer = (await ask({ path: "", route: "all", body }, "POST")) as { result: unknown };
      return read(`${method} ${JSON.stringify(params)}`, answer.result, reply);
    },
  };
}

function pathOf({ path, query = [] }: Call): string {
  return `${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()}`;
}

function spoil(value: unknown): void {
  const list = Array.isArray(value) ? value : Object.values(value ?? {}).find((part) => Array.isArray(part));
  if (!Array.isArray(list) || list.length < 2) return;
  const row: unknown = list[1];
  if (typeof row !== "object" || row === null) return;
  const fields = Object.entries(row).map(([name, field]) => [name, KEPT.has(name) ? field : [["drifted"]]]);
  list[1] = Object.fromEntries(fields);
}
