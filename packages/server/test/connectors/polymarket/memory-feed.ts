import type { Batch, Call, Cursor, Feed, PullOptions } from "../../../src/definition/connector.ts";
import type { InsertRow, TableDefinition } from "../../../src/definition/table.ts";
import { noListening } from "../../fixtures/no-listening.ts";

type Answers = {
  readonly get?: (call: Call, query: URLSearchParams) => unknown;
  readonly post?: (call: Call) => unknown;
  readonly rpc?: (method: string, params: readonly unknown[]) => unknown;
};

/** A feed whose replies are given by functions; undefined stands for a status in `absentOn`. Calls are recorded. */
export function memoryFeed(answers: Answers): Feed & { readonly calls: { path: string; query: URLSearchParams }[] } {
  const calls: { path: string; query: URLSearchParams }[] = [];
  return {
    calls,
    get: async (call, reply) => {
      const query = new URLSearchParams((call.query ?? []).map(([key, value]): [string, string] => [key, value]));
      calls.push({ path: call.path, query });
      const value = answers.get?.(call, query);
      return value === undefined ? undefined : reply.parse(value);
    },
    post: async (call, reply) => {
      calls.push({ path: call.path, query: new URLSearchParams() });
      const value = answers.post?.(call);
      return value === undefined ? undefined : reply.parse(value);
    },
    listen: noListening,
    rpc: async (method, params, reply) => reply.parse(answers.rpc?.(method, params)),
  };
}

export function pullOptions(feed: Feed, more: Partial<PullOptions> = {}): PullOptions {
  return {
    feed,
    also: {},
    cursor: undefined,
    now: () => Date.UTC(2026, 10, 20),
    known: async () => [],
    signal: new AbortController().signal,
    ...more,
  };
}

export type Collected = {
  readonly batches: Batch[];
  readonly cursor: Cursor | undefined;
  readonly of: (table: TableDefinition) => InsertRow[];
};

/** Runs a cycle as ingest does: until the walk ends or reports that it is caught up. */
export async function collect(walk: AsyncGenerator<Batch, void, void>): Promise<Collected> {
  const batches: Batch[] = [];
  for await (const batch of walk) {
    batches.push(batch);
    if (batch.isCaughtUp === true) break;
  }
  const of = (table: TableDefinition): InsertRow[] =>
    batches.flatMap((batch) => batch.rows.filter((part) => part.table === table).flatMap((part) => part.rows));
  return { batches, cursor: batches.at(-1)?.cursor, of };
}
