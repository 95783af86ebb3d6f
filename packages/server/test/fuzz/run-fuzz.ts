import { Pool } from "undici";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { problemsOf, type FuzzAnswer } from "./check-answer.ts";
import type { FuzzDataset, FuzzRequest } from "./fuzz-request.ts";
import { fuzzRequests } from "./fuzz-requests.ts";
import { randomFrom } from "./random.ts";
import { requiredParams, sampleOf } from "./samples.ts";

export type FuzzOptions = {
  readonly baseUrl: string;
  readonly path: string;
  readonly key: string;
  readonly catalogue: readonly DatasetDefinition[];
  /** What must be the same before and after, by name. */
  readonly checksum: () => Promise<Readonly<Record<string, string>>>;
  readonly seed: number;
  readonly requests: number;
  /** One in so many of the hostile values; all of them when absent. */
  readonly nth?: number;
  readonly connections?: number;
  readonly maxMilliseconds?: number;
  /** Further texts that no error may hold (names of tables, the folder of the data, …). */
  readonly secrets?: readonly RegExp[];
};

export type FuzzReport = {
  readonly seed: number;
  readonly sent: number;
  readonly seconds: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<string, number>>;
  readonly slowestMilliseconds: number;
  /** One line each, at most 200; `problemCount` counts them all. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly changed: readonly string[];
};

const MAX_PROBLEMS = 200;
const CURSORS = 3;

/** Sends at least so many requests made by chance over kept connections and checks every answer. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const pool = new Pool(options.baseUrl, {
    connections: options.connections ?? 8,
    pipelining: 1,
    bodyTimeout: 30_000,
    headersTimeout: 30_000,
  });
  const check = { maxMilliseconds: options.maxMilliseconds ?? 30_000, secrets: options.secrets ?? [] };
  const byStatus: Record<string, number> = {};
  const byKind: Record<string, number> = {};
  const problems: string[] = [];
  let problemCount = 0;
  let slowest = 0;
  let sent = 0;
  const before = await options.checksum();
  const datasets = await Promise.all(options.catalogue.map((dataset) => toMatter(dataset, pool, options)));
  const queue = fuzzRequests(
    { key: options.key, path: options.path, datasets },
    randomFrom(options.seed),
    options.requests,
    options.nth,
  );
  const started = performance.now();
  const work = async (): Promise<void> => {
    for (const request of queue) {
      const answer = await send(pool, request);
      sent += 1;
      byKind[request.kind] = (byKind[request.kind] ?? 0) + 1;
      const status = typeof answer === "string" ? "none" : String(answer.status);
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      if (typeof answer !== "string") slowest = Math.max(slowest, answer.milliseconds);
      const found = typeof answer === "string" ? [answer] : problemsOf(request, answer, check);
      problemCount += found.length;
      if (found.length > 0 && problems.length < MAX_PROBLEMS) problems.push(described(request, answer, found));
    }
  };
  await Promise.all(Array.from({ length: options.connections ?? 8 }, work));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  const after = await options.checksum();
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name]);
  return {
    seed: options.seed,
    sent,
    seconds,
    byStatus,
    byKind,
    slowestMilliseconds: slowest,
    problems,
    problemCount,
    changed,
  };
}

async function send(pool: Pool, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer | string> {
  const started = performance.now();
  try {
    const reply = await pool.request({
      method: method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.body.text();
    return { status: reply.statusCode, headers: reply.headers, body: text, milliseconds: performance.now() - started };
  } catch (error) {
    return `no answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function described(request: FuzzRequest, answer: FuzzAnswer | string, found: readonly string[]): string {
  const { authorization: _key, ...headers } = request.headers;
  const shown = typeof answer === "string" ? "" : ` → ${answer.status} ${answer.body.slice(0, 500)}`;
  return `${request.kind}: ${found.join("; ")} | ${request.method} ${request.path} ${JSON.stringify(headers)} ${request.body?.toString().slice(0, 500) ?? ""}${shown}`;
}

/** A dataset as the generator needs it, with a few cursors that the service itself gave. */
async function toMatter(dataset: DatasetDefinition, pool: Pool, options: FuzzOptions): Promise<FuzzDataset> {
  const params = requiredParams(dataset);
  const cursors: { cursor: string; params: Record<string, string> }[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < CURSORS; page += 1) {
    const answer = await send(pool, {
      kind: "cursor",
      method: "POST",
      path: options.path,
      headers: { authorization: `Bearer ${options.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        agent_id: dataset.agentId,
        params,
        pagination: { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      }),
    });
    const body =
      typeof answer === "string"
        ? undefined
        : (JSON.parse(answer.body) as { pagination?: { next_cursor?: string | null } });
    cursor = body?.pagination?.next_cursor ?? undefined;
    if (cursor === undefined) break;
    cursors.push({ cursor, params });
  }
  const known = Object.entries(dataset.params).map(([name, param]) => ({
    name,
    required: name in params,
    sample: params[name] ?? sampleOf(name, param),
  }));
  return { agentId: dataset.agentId, params: known, maxLimit: dataset.limit.max, cursors };
}
