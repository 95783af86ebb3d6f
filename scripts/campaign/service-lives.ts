import { setTimeout as sleep } from "node:timers/promises";
import type { MachineClock } from "./machine-clock.ts";
import type { Kill } from "./run-plan.ts";
import { type Orders, ServiceProcess } from "./service-process.ts";

/** Consecutive processes of one run's service over one folder, each killed as planned until the plan is done. */
export class ServiceLives {
  readonly #options: LivesOptions;
  readonly killed: Record<string, number> = {};
  readonly problems: string[] = [];
  #current: ServiceProcess | undefined;
  #isOver = false;
  #living: Promise<void> = Promise.resolve();

  constructor(options: LivesOptions) {
    this.#options = options;
  }

  /** The process that runs now; undefined between two. */
  get current(): ServiceProcess | undefined {
    return this.#current;
  }

  get #kills(): number {
    return Object.values(this.killed).reduce((sum, count) => sum + count, 0);
  }

  begin(): void {
    this.#living = this.#live().catch((error: unknown) => {
      this.problems.push(error instanceof Error ? error.message : String(error));
    });
  }

  /** Stops killing: the current process is the last. Resolves to it once it listens. */
  async last(): Promise<{ readonly service: ServiceProcess; readonly baseUrl: string }> {
    this.#isOver = true;
    await this.#living;
    const kept = this.#current;
    if (kept?.isRunning && (this.#kills > 0 || !this.#options.needsKill))
      return { service: kept, baseUrl: (await kept.ready).baseUrl };
    // No kill happened in time: the process is killed here, in the middle of its work.
    if (kept?.isRunning) await this.#end(kept, "at a moment", false);
    const service = this.#start();
    return { service, baseUrl: (await service.ready).baseUrl };
  }

  #start(): ServiceProcess {
    const { clock, logFile, orders, environmentOf } = this.#options;
    const environment = environmentOf(this.#kills);
    // A start takes real seconds, which at the run's rate would be most of the world: until it listens the rate is 1.
    clock.expedite(1);
    const service = new ServiceProcess({ clock, logFile, environment, orders });
    this.#current = service;
    service.ready.then(() => service.follow(clock.expedite(this.#options.rate))).catch(() => undefined);
    void service.ended.then(() => (this.#current === service ? clock.expedite(1) : undefined));
    return service;
  }

  async #live(): Promise<void> {
    for (const kill of this.#options.kills) {
      if (this.#isOver) return;
      const service = this.#start();
      await this.#untilKilled(service, kill);
      if (service.isRunning) return;
      if (!kill.isRestartedAtOnce) await this.#requireNoOrphans(service);
    }
    if (!this.#isOver) this.#start();
  }

  /** Resolves when the process has ended, or when the run is over before its kill. */
  async #untilKilled(service: ServiceProcess, { at, afterSeconds, whole }: Kill): Promise<void> {
    const over = this.#untilOver();
    if (at === "moment") await Promise.race([service.ready.catch(() => undefined), over]);
    await Promise.race([this.#options.clock.sleep(afterSeconds * 1000), service.ended, over]);
    if (this.#isOver || !service.isRunning) return;
    await this.#end(service, at === "start" ? "while starting" : "at a moment", whole);
  }

  async #end(service: ServiceProcess, how: string, whole: boolean): Promise<void> {
    await service.kill(whole);
    const counted = whole ? `${how}, engine too` : how;
    this.killed[counted] = (this.killed[counted] ?? 0) + 1;
  }

  async #untilOver(): Promise<void> {
    while (!this.#isOver) await sleep(20);
  }

  async #requireNoOrphans(service: ServiceProcess): Promise<void> {
    const orphans = await service.orphans();
    if (orphans.length > 0) this.problems.push(`the engine ${orphans.join(", ")} outlived its killed service`);
  }
}

type LivesOptions = {
  /** The clock's rate while the service listens. */
  readonly rate: number;
  readonly clock: MachineClock;
  readonly kills: readonly Kill[];
  readonly logFile: string;
  readonly orders: Omit<Orders, "clock">;
  /** Whether the last process must come after a kill. */
  readonly needsKill: boolean;
  /** The settings after this many kills. */
  readonly environmentOf: (kills: number) => Readonly<Record<string, string>>;
};
