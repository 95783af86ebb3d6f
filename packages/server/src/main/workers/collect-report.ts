import type { Usage } from "../../access/access.ts";
import type { HttpMetrics } from "../../http/http-metrics.ts";
import type { CacheOutcome } from "../../query/query-cache.ts";
import type { NoteCompared } from "../../query/served/compare-sampled.ts";
import type { Report } from "./protocol.ts";

/** Batch limits: at most this many requests, or this much time, are lost if a worker is killed. */
const MAX_REQUESTS = 200;
const EVERY_MS = 100;

export type Collecting = HttpMetrics & {
  readonly usage: (usage: Usage) => void;
  readonly answer: (outcome: CacheOutcome) => void;
  readonly page: (by: "index" | "engine") => void;
  readonly compared: NoteCompared;
  readonly unread: (table: string, damage: string | undefined) => void;
  /** Sends the remainder. */
  readonly end: () => void;
};

/** Collects a worker's counts and sends them in batches; the owner adds them to its own. */
export function collectReport(send: (report: Report) => void): Collecting {
  let report = emptyReport();
  let sent = 0;
  let inFlight = none;
  const flush = (): void => {
    const now = inFlight();
    if (now === sent && isEmpty(report)) return;
    send({ ...report, inFlight: now });
    sent = now;
    report = emptyReport();
  };
  const timer = setInterval(flush, EVERY_MS);
  return {
    watch: (look) => void (inFlight = look),
    usage: (usage) => void report.usage.push(usage),
    answered: (dataset, status, seconds, bytes) => {
      if (report.requests.push({ dataset, status, seconds, bytes }) >= MAX_REQUESTS) flush();
    },
    connectionClosed: (why) => void report.closed.push(why),
    refusalHeld: () => void report.held.push(true),
    answer: (outcome) => void report.answers.push(outcome),
    page: (by) => void report.pages.push(by),
    compared: (...found) => void report.compared.push(found),
    unread: (table, damage) => void report.unread.push({ table, damage }),
    end: () => {
      clearInterval(timer);
      flush();
    },
  };
}

const none = (): number => 0;

const emptyReport = (): Report => ({
  usage: [],
  requests: [],
  answers: [],
  pages: [],
  compared: [],
  unread: [],
  closed: [],
  held: [],
  inFlight: 0,
});

const isEmpty = (report: Report): boolean =>
  Object.values(report).every((each) => typeof each === "number" || each.length === 0);
