import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { Registry } from "prom-client";
import type { Access } from "../../src/access/access.ts";
import { memoryAllowances } from "../../src/access/allowances.ts";
import { type Caller, mayRead } from "../../src/access/caller.ts";
import type { Usage } from "../../src/access/count-usage.ts";
import { id, num } from "../../src/definition/column.ts";
import { defineDataset, type DatasetDefinition } from "../../src/definition/dataset.ts";
import { bool, wallet } from "../../src/definition/param-kinds.ts";
import { sql } from "../../src/definition/sql.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { createServer } from "../../src/http/create-server.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import type { ServerOptions } from "../../src/http/server-options.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";

export const TOKEN = "alm_live_aaaaaaaaaaaaaaaaaaaaaaaaaa_aaaaaa";
/** A token of another account. */
export const OTHER_TOKEN = "alm_live_bbbbbbbbbbbbbbbbbbbbbbbbbb_bbbbbb";

export const things: DatasetDefinition = defineDataset({
  agentId: 574,
  name: "things",
  title: 'Things <&> "more"',
  summary: "Every thing.",
  plan: "free",
  params: {
    closed: bool().describe("Whether it is closed."),
    owner: wallet().list().required().describe("Its owner <script>alert(1)</script>."),
  },
  row: { id: id().describe("Its id."), size: num("shares").maybe("How many.") },
  limit: { default: 50, max: 1000 },
  order: "newest first",
  tables: [],
  query: () => ({ select: {}, from: sql``, where: [], order: [] }),
  examples: [{ title: "Closed ones", params: { closed: "True", owner: "0x" + "ab".repeat(20) } }],
});

export const ROWS = '[{"id":"é1","size":1},{"id":"2","size":null}]';

export const answerOf = (more: Partial<Answer> = {}): Answer => ({
  agentId: 574,
  format: "raw",
  contentType: "application/json; charset=utf-8",
  body: Buffer.from(ROWS),
  rowCount: 2,
  limit: 50,
  offset: 0,
  hasMore: true,
  nextCursor: "abc",
  params: { closed: "False" },
  coverage: { complete: true, from: "2022-11-21T00:00:00Z", to: null, gaps: [], reasons: [] },
  warnings: [],
  etag: '"tag1"',
  ...more,
});

const caller = (requestsPerMinute: number): Caller => ({
  keyId: "key-1",
  prefix: TOKEN.slice(0, 15),
  accountId: "account-1",
  plan: {
    name: "free",
    requestsPerMinute,
    burst: requestsPerMinute,
    maxPage: 1000,
    maxList: 200,
    atOnce: 128,
    keyAtOnce: 128,
    datasets: "all",
  },
  keyPace: null,
  datasets: null,
  mode: "strict",
});

export type Api = {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly port: number;
  readonly endpoint: string;
  readonly lines: Record<string, unknown>[];
  readonly usage: Usage[];
  readonly metrics: Registry;
  readonly close: () => Promise<void>;
};

type Noted = { readonly lines?: Record<string, unknown>[]; readonly usage?: Usage[]; readonly perMinute?: number };

/** Options of a server over a hand-written ask, except its metrics. */
export function apiOptions(
  ask: Ask,
  { lines = [], usage = [], perMinute = 1_000_000 }: Noted = {},
): Omit<ServerOptions, "metrics"> {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  const allowances = memoryAllowances(Date.now);
  const access: Access = {
    verify: async (token) => {
      if (token === OTHER_TOKEN) return { ...caller(perMinute), keyId: "key-2", accountId: "account-2" };
      return token === TOKEN ? caller(perMinute) : undefined;
    },
    take: allowances.take,
    peek: allowances.peek,
    mayRead,
    count: (one) => usage.push(one),
    forget: () => undefined,
    close: async () => undefined,
  };
  return {
    ask,
    access,
    catalogue: [things],
    readiness: async () => ({ ready: true, reasons: [] }),
    log: pino({ level: "debug" }, sink),
    publicUrl: "https://almanac.example",
    paramsUnknown: "reject",
    clock: Date.now,
  };
}

/** Opens a server on a free port over a hand-written ask, to test the HTTP layer alone. */
export async function openApi(ask: Ask, more: Partial<ServerOptions> & { perMinute?: number } = {}): Promise<Api> {
  const { perMinute = 1_000_000, ...options } = more;
  const lines: Record<string, unknown>[] = [];
  const usage: Usage[] = [];
  const metrics = new Registry();
  const app = createServer({
    ...apiOptions(ask, { lines, usage, perMinute }),
    metrics: createHttpMetrics(metrics),
    ...options,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { app, url, port, endpoint: url + ENDPOINT, lines, usage, metrics, close: () => app.close() };
}

export const HEADERS = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };

export const post = (
  api: Pick<Api, "endpoint">,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(api.endpoint, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body:
      typeof body === "string" || body instanceof Uint8Array
        ? (body as string | Uint8Array<ArrayBuffer>)
        : JSON.stringify(body),
  });
