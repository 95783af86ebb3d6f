import { ENDPOINT, RETRIEVAL_ALIAS } from "../../src/http/create-api.ts";
import { tables } from "../../src/catalogue.ts";
import { isLimited, problemsOf, type CheckOptions, type FuzzAnswer } from "./check-answer.ts";
import type { FuzzRequest, FuzzWorld } from "./fuzz-request.ts";
import { fuzzRequest } from "./fuzz-requests.ts";
import type { Stage } from "./open-stage.ts";
import { datasetsOf, documentsOf } from "./read-world.ts";
import { openSender, type Send } from "./send.ts";
import { memoryNow, watchReady, type Memory } from "./watch.ts";

export type FuzzOptions = {
  readonly seed: number;
  readonly requests: number;
  /** Runs only this index of the sequence. */
  readonly only?: number | undefined;
  readonly connections?: number;
  readonly maxMilliseconds?: number;
  /** Called now and then with the progress. */
  readonly reported?: (sent: number, perSecond: number, problems: number) => void;
};

export type FuzzReport = {
  readonly seed: number;
  readonly sent: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<string, number>>;
  /** Number of documented refusals due to load. */
  readonly limited: number;
  readonly slowestMilliseconds: number;
  readonly slowestReadyMilliseconds: number;
  /** After a tenth, after half and at the end. */
  readonly memory: readonly Memory[];
  /** One line each, at most 200; `problemCount` counts them all. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly changed: readonly string[];
};

const MAX_PROBLEMS = 200;
const CONNECTIONS = 16;
const REPORT_EVERY_MS = 10_000;
const FORGET_EVERY = 5_000;
const WARNING = 40;

/**
 * Sends the requests of a seed over keep-alive connections, and checks every answer and that protected data is
 * unchanged.
 */
export async function runFuzz(stage: Stage, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, only, connections = CONNECTIONS } = options;
  const { service } = stage;
  const check: CheckOptions = {
    maxMilliseconds: options.maxMilliseconds ?? 60_000,
    secrets: [new RegExp(`\\b(?:${tables.map(({ name }) => name).join("|")})\\b`, "g")],
    canaries: stage.canaries,
  };
  const before = await stage.checksum();
  const { send, close } = openSender(service.url, stage.metricsUrl, connections);
  const world = await worldOf(stage, send);
  const tally = createTally(options, check);
  const ready = watchReady(service.url);
  const started = performance.now();
  const marks = new Set([0.1, 0.5, 1].map((part) => Math.ceil(requests * part)));
  const memory: Memory[] = [];
  let next = only ?? 0;
  const end = only === undefined ? requests : only + 1;
  const work = async (): Promise<void> => {
    for (let index = next++; index < end; index = next++) {
      if (index % FORGET_EVERY === 0) forgetUsual(service.lines);
      const request = fuzzRequest(world, seed, index);
      tally.take(index, request, await send(request));
      if (marks.has(tally.sent())) memory.push(memoryNow());
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - started) / 1000;
  const slowestReadyMilliseconds = await ready.stop();
  await close();
  const after = await stage.checksum();
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return {
    seed,
    seconds,
    perSecond: Math.round(tally.sent() / seconds),
    ...tally.sums(),
    slowestReadyMilliseconds,
    memory,
    changed: [...names].filter((name) => before[name] !== after[name]),
  };
}

/** A log line per request would use most of the memory of a long run; warnings and errors are kept for checking. */
function forgetUsual(lines: Record<string, unknown>[]): void {
  const kept = lines.filter(({ level }) => Number(level) >= WARNING);
  lines.splice(0, lines.length, ...kept);
}

async function worldOf({ service, callers, sessions, password }: Stage, send: Send): Promise<FuzzWorld> {
  return {
    path: ENDPOINT,
    alias: RETRIEVAL_ALIAS,
    datasets: await datasetsOf(service.catalogue, callers[0]?.key ?? "", send),
    callers,
    sessions,
    password,
    documents: await documentsOf(send),
  };
}

const add = (counts: Record<string, number>, name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);

function createTally({ seed, reported }: FuzzOptions, check: CheckOptions) {
  const byStatus: Record<string, number> = {};
  const byKind: Record<string, number> = {};
  const problems: string[] = [];
  const started = performance.now();
  let [sent, limited, slowest, problemCount, reportedAt] = [0, 0, 0, 0, started];
  const blame = (index: number, request: FuzzRequest, answer: FuzzAnswer | string, found: readonly string[]): void => {
    problemCount += found.length;
    if (found.length > 0 && problems.length < MAX_PROBLEMS)
      problems.push(`seed ${seed} index ${index}: ${described(request, answer, found)}`);
  };
  return {
    sent: () => sent,
    take: (index: number, request: FuzzRequest, answers: readonly FuzzAnswer[] | string): void => {
      sent += 1;
      add(byKind, request.kind);
      if (typeof answers === "string" || answers.length === 0) add(byStatus, "none");
      if (typeof answers === "string") blame(index, request, answers, [answers]);
      else
        for (const answer of answers) {
          add(byStatus, String(answer.status));
          if (isLimited(answer)) limited += 1;
          slowest = Math.max(slowest, answer.milliseconds);
          blame(index, request, answer, problemsOf(request, answer, check));
        }
      const now = performance.now();
      if (now < reportedAt + REPORT_EVERY_MS) return;
      reportedAt = now;
      reported?.(sent, Math.round((sent / (now - started)) * 1000), problemCount);
    },
    sums: () => ({ sent, limited, slowestMilliseconds: Math.round(slowest), byStatus, byKind, problems, problemCount }),
  };
}

function described(request: FuzzRequest, answer: FuzzAnswer | string, found: readonly string[]): string {
  const { authorization: _key, cookie: _session, ...headers } = request.headers;
  const shown = typeof answer === "string" ? "" : ` → ${answer.status} ${answer.body.toString().slice(0, 500)}`;
  return `${request.kind}: ${found.join("; ")} | ${request.method} ${request.path} ${JSON.stringify(headers)} ${request.body?.toString().slice(0, 500) ?? ""}${shown}`;
}
