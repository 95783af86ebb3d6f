import { EventEmitter } from "node:events";
import { CommandError } from "../cli/command.ts";
import type { Owner } from "../cli/command-context.ts";

/** Long commands that change or copy the store: they continue when their caller disconnects. */
const LASTING = new Set(["backfill", "replay", "derive", "load", "social", "backup", "restore"]);
const MAX_RUNNING = 8;
const MAX_KEPT = 50;
/** Newest part of each job's output that is kept (characters). */
const KEPT_OUTPUT = 65_536;

export type Job = {
  readonly id: number;
  readonly command: string;
  readonly startedAt: Date;
  endedAt?: Date;
  /** Absent while it runs. */
  exit?: number;
  /** The newest part of what it printed. */
  output: string;
};

export type OwnerOfJobs = Owner & { readonly jobs: Jobs };

export type Jobs = {
  /** Undefined for a command that ends with its caller. Throws CommandError if too many run. */
  readonly begin: (argv: readonly string[]) => (Job & { readonly signal: AbortSignal }) | undefined;
  readonly print: (job: Job, text: string) => void;
  readonly end: (job: Job, exit: number) => void;
  readonly list: () => readonly Job[];
  /** Calls `onText` with past and further output until the job ends or `signal` is aborted. */
  readonly follow: (id: number, onText: (text: string) => void, signal: AbortSignal) => Promise<Job>;
  /** Requests a running job to end. */
  readonly stop: (id: number) => Job;
  /** Requests all jobs to end and waits for them. */
  readonly close: () => Promise<void>;
};

export function createJobs(now: () => number): Jobs {
  const kept = new Map<number, Job & { readonly stopping: AbortController }>();
  const news = new EventEmitter().setMaxListeners(0);
  let last = 0;
  const running = () => [...kept.values()].filter(({ exit }) => exit === undefined);
  const find = (id: number) => {
    const job = kept.get(id);
    if (job === undefined) throw new CommandError(3, `there is no job ${id}; almanac job list shows all`);
    return job;
  };
  const ended = (job: Job): Promise<unknown> =>
    job.exit === undefined ? new Promise((resolve) => news.once(`end ${job.id}`, resolve)) : Promise.resolve();
  return {
    begin: (argv) => {
      if (!LASTING.has(argv[0] ?? "")) return undefined;
      if (running().length >= MAX_RUNNING)
        throw new CommandError(1, `${MAX_RUNNING} jobs already run: wait for one, or stop it (almanac job list, stop)`);
      last += 1;
      const stopping = new AbortController();
      const { signal } = stopping;
      const job = { id: last, command: argv.join(" "), startedAt: new Date(now()), output: "", stopping, signal };
      kept.set(job.id, job);
      const old = [...kept.values()].find(({ exit }) => exit !== undefined);
      if (kept.size > MAX_KEPT && old !== undefined) kept.delete(old.id);
      return job;
    },
    print: (job, text) => {
      job.output = (job.output + text).slice(-KEPT_OUTPUT);
      news.emit(`text ${job.id}`, text);
    },
    end: (job, exit) => {
      Object.assign(job, { exit, endedAt: new Date(now()) });
      news.emit(`end ${job.id}`);
    },
    list: () => [...kept.values()],
    follow: async (id, onText, signal) => {
      const job = find(id);
      onText(job.output);
      if (signal.aborted) return job;
      news.on(`text ${id}`, onText);
      const left = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await Promise.race([ended(job), left]);
      news.off(`text ${id}`, onText);
      return job;
    },
    stop: (id) => {
      const job = find(id);
      job.stopping.abort(new Error("stop requested"));
      return job;
    },
    close: async () => {
      const all = running();
      for (const { stopping } of all) stopping.abort(new Error("the service stops"));
      await Promise.all(all.map(ended));
    },
  };
}
