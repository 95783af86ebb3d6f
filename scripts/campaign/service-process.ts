import { spawn, type ChildProcess } from "node:child_process";
import { openSync, closeSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childrenOf } from "../bench/process-use.ts";
import type { MachineClock, ClockState } from "./machine-clock.ts";
import type { IngestStatus } from "../../packages/server/src/ingest/status/read-status.ts";

const CHILD = join(dirname(fileURLToPath(import.meta.url)), "service-child.ts");
const READY_MS = 90_000;
const STATUS_MS = 60_000;
const ENGINE_GONE_MS = 15_000;
const STOP_MS = 30_000;
const LOOK_MS = 100;

type Ready = Extract<FromService, { kind: "ready" }>;
export type StatusReported = Extract<FromService, { kind: "status" }>;

/** One process of the service, from start to kill -9 or stop. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #requested = new Map<number, (reported: StatusReported) => void>();
  readonly #engines = new Set<number>();
  #next = 1;
  readonly ended: Promise<void>;
  /** Rejects when the process ends before it listens, as when killed while starting. */
  readonly ready: Promise<Ready>;

  constructor(options: {
    readonly orders: Omit<Orders, "clock">;
    readonly clock: MachineClock;
    readonly environment: Readonly<Record<string, string>>;
    readonly logFile: string;
    /** Timeout until it listens. */
    readonly readyMs?: number | undefined;
  }) {
    const log = openSync(options.logFile, "a");
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
    };
    this.#child = spawn(process.execPath, [CHILD, JSON.stringify({ ...options.orders, clock: options.clock.state })], {
      env: { ...env, ...options.environment },
      stdio: ["ignore", log, log, "ipc"],
    });
    closeSync(log);
    const looking = setInterval(() => this.noteEngine(), LOOK_MS);
    this.ended = new Promise((resolve) =>
      this.#child.once("exit", () => {
        clearInterval(looking);
        resolve();
      }),
    );
    this.ready = this.#untilReady(options.readyMs ?? READY_MS);
    this.ready.catch(() => undefined);
    this.#child.on("message", (message: FromService) => {
      if (message.kind !== "status") return;
      this.#requested.get(message.id)?.(message);
      this.#requested.delete(message.id);
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  follow(state: ClockState): void {
    this.#send({ kind: "clock", state });
  }

  /** State of its streams; undefined once the process has ended. */
  async status(): Promise<StatusReported | undefined> {
    if (!this.isRunning) return undefined;
    const id = this.#next;
    this.#next += 1;
    const reported = new Promise<StatusReported>((resolve) => this.#requested.set(id, resolve));
    this.#send({ kind: "status", id });
    this.noteEngine();
    const late = sleep(STATUS_MS).then(() => {
      throw new Error(`the service did not tell its status within ${STATUS_MS} ms`);
    });
    return Promise.race([reported, this.ended.then(() => undefined), late]);
  }

  /** Records the engine's process id (its children) while it is alive. */
  noteEngine(): void {
    const { pid } = this.#child;
    if (pid === undefined || !this.isRunning) return;
    for (const engine of childrenOf(pid)) this.#engines.add(engine);
  }

  /** kill -9 of the service; with `engineToo` also of its engine at the same time. */
  async kill(engineToo: boolean): Promise<void> {
    this.noteEngine();
    this.#child.kill("SIGKILL");
    if (engineToo) for (const engine of this.#engines) killQuietly(engine);
    await this.ended;
  }

  /** Engines still alive although their service is gone; waits a bounded time until there are none. */
  async orphans(): Promise<readonly number[]> {
    const until = Date.now() + ENGINE_GONE_MS;
    const alive = (): number[] => [...this.#engines].filter((pid) => isAlive(pid));
    while (alive().length > 0 && Date.now() < until) await sleep(20);
    return alive();
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.noteEngine();
    this.#send({ kind: "stop" });
    await Promise.race([this.ended, sleep(STOP_MS, undefined, { ref: false })]);
    if (this.isRunning) await this.kill(true);
  }

  #send(message: ToService): void {
    if (this.isRunning && this.#child.connected) this.#child.send(message, () => undefined);
  }

  #untilReady(ms: number): Promise<Ready> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the service did not listen within ${ms} ms`)), ms);
      this.#child.on("message", (message: FromService) => {
        if (message.kind !== "ready") return;
        clearTimeout(timer);
        this.noteEngine();
        resolve(message);
      });
      this.#child.once("exit", (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`the service ended (${code ?? signal}) before it listened`));
      });
    });
  }
}

/** A process that has ended and was not reaped yet (a zombie) counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** Start parameters of a service process. */
export type Orders = {
  readonly clock: ClockState;
  /** Backfill since then runs alongside the live streams, at every start. */
  readonly pastFromMs: number;
  readonly needsKey: boolean;
};

/** Messages from the run to its service. */
export type ToService =
  | { readonly kind: "clock"; readonly state: ClockState }
  | { readonly kind: "status"; readonly id: number }
  | { readonly kind: "stop" };

/** Messages from the service to its run. */
export type FromService =
  | { readonly kind: "ready"; readonly baseUrl: string; readonly key?: string }
  | { readonly kind: "status"; readonly id: number; readonly status: IngestStatus; readonly isPastGathered: boolean };
