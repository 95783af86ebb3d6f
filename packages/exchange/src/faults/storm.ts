import { Rng } from "../world/core/rng.ts";
import type { FaultEndpoint } from "./fault-endpoint.ts";
import { faultKinds, type FaultPlan } from "./fault-plan.ts";
import type { Fault, FaultKind, FaultOf } from "./fault.ts";

/** Interval for checking scheduled faults and releasing hung requests, wall ms. */
const TICK_MS = 50;
const MAX_FAULTS = 256;

/** A running fault of the plan and its counts. */
export interface Running<F extends Fault = Fault> {
  readonly fault: F;
  /** Wall ms at which it was set. */
  readonly set_at: number;
  readonly injected: Map<FaultEndpoint, number>;
  readonly draws: Map<FaultEndpoint, Rng>;
  /** Seed of its plan. */
  readonly seed: number;
  /** Running number of the fault since the last clear. */
  readonly place: number;
  /** Last cycle done by a scheduled fault, −1 before the first. */
  turn: number;
}

/**
 * A fault that applies to the current request or frame. Call `landed` to count it once something has actually changed.
 */
export interface Hit<F extends Fault = Fault> {
  readonly fault: F;
  readonly running: Running<F>;
  /** For further random choices: a status, a delay, which rows. */
  readonly draw: Rng;
  landed(): void;
  isOver(): boolean;
}

/** The current plan: decides which fault applies, by time, share and count. Without a plan it costs one check. */
export class Storm {
  readonly #wall: () => number;
  readonly #ticks = new Set<() => void>();
  #seed = 1;
  #running: Running[] = [];
  #made = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `wall` is real time, ms. */
  constructor(wall: () => number) {
    this.#wall = wall;
  }

  /** Whether a plan is set; if false, callers skip all other checks. */
  get isSet(): boolean {
    return this.#running.length > 0;
  }

  get seed(): number {
    return this.#seed;
  }

  get running(): readonly Running[] {
    return this.#running;
  }

  /** Applies a plan, replacing the current one or in addition to it. Throws for more than 256 faults. */
  set(plan: FaultPlan, isAdded: boolean = false): void {
    const kept = isAdded ? this.#running : [];
    if (kept.length + plan.faults.length > MAX_FAULTS) throw new RangeError(`more than ${MAX_FAULTS} faults`);
    if (!isAdded) this.clear();
    this.#seed = plan.seed;
    this.#running = [...kept, ...plan.faults.map((fault) => this.#start(fault, plan.seed))];
    if (this.isSet) this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Ends every fault and releases hung requests. */
  clear(): void {
    this.#running = [];
    this.#made = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#tick();
  }

  /**
   * Calls the listener every 50 ms while a plan is set, and once after it has ended. Returns the function that
   * unsubscribes it.
   */
  onTick(listener: () => void): () => void {
    this.#ticks.add(listener);
    return () => void this.#ticks.delete(listener);
  }

  /** Whether the plan has a fault of this kind for this endpoint, now or later. */
  has(kind: FaultKind, endpoint: FaultEndpoint): boolean {
    return this.#running.some(({ fault }) => fault.kind === kind && isOn(fault, endpoint));
  }

  /** Returns the first fault of these kinds that applies. Paths are matched by prefix. */
  strike<K extends FaultKind>(kinds: readonly K[], endpoint: FaultEndpoint, path: string): Hit<FaultOf<K>> | undefined {
    for (const running of this.active(kinds, endpoint, path)) {
      const draw = drawOf(running, endpoint);
      if (running.fault.share >= 1 || draw.chance(running.fault.share)) return this.hit(running, endpoint);
    }
    return undefined;
  }

  /** Returns every fault of these kinds that could apply now. */
  active<K extends FaultKind>(kinds: readonly K[], endpoint: FaultEndpoint, path?: string): Running<FaultOf<K>>[] {
    return this.#running.filter((running): running is Running<FaultOf<K>> => {
      const { fault } = running;
      if (!(kinds as readonly FaultKind[]).includes(fault.kind) || !isOn(fault, endpoint)) return false;
      if (path !== undefined && fault.path !== undefined && !path.startsWith(fault.path)) return false;
      return this.isActive(running) && totalOf(running) < (fault.count ?? Infinity);
    });
  }

  /**
   * Returns the scheduled faults of a kind that are due: immediately when they begin, then once every `every_seconds`.
   * Missed cycles are not caught up.
   */
  due<K extends "cut" | "reorg" | "restart">(kind: K): Running<FaultOf<K>>[] {
    return this.#running.filter((running): running is Running<FaultOf<K>> => {
      if (running.fault.kind !== kind || !this.isActive(running)) return false;
      const { after_seconds, every_seconds } = running.fault;
      const passed = this.elapsed(running) - after_seconds;
      const turn = every_seconds === undefined ? 0 : Math.floor(passed / every_seconds);
      if (running.turn >= turn) return false;
      running.turn = turn;
      return true;
    });
  }

  /** Returns a hit of this fault; the caller draws its share. */
  hit<F extends Fault>(running: Running<F>, endpoint: FaultEndpoint): Hit<F> {
    return {
      fault: running.fault,
      running,
      draw: drawOf(running, endpoint),
      landed: () => void running.injected.set(endpoint, (running.injected.get(endpoint) ?? 0) + 1),
      isOver: () => !this.isActive(running),
    };
  }

  /** Whether the fault is within its time window and still part of the plan. */
  isActive(running: Running): boolean {
    const { after_seconds, for_seconds } = running.fault;
    const passed = this.elapsed(running) - after_seconds;
    return passed >= 0 && passed < (for_seconds ?? Infinity) && this.#running.includes(running);
  }

  /** Seconds since the fault was set. */
  elapsed(running: Running): number {
    return (this.#wall() - running.set_at) / 1000;
  }

  #start(fault: Fault, seed: number): Running {
    this.#made += 1;
    return { fault, set_at: this.#wall(), injected: new Map(), draws: new Map(), seed, place: this.#made, turn: -1 };
  }

  #tick(): void {
    for (const listener of this.#ticks) listener();
  }
}

function isOn(fault: Fault, endpoint: FaultEndpoint): boolean {
  return [fault.endpoint ?? faultKinds[fault.kind].endpoints].flat().includes(endpoint);
}

function totalOf(running: Running): number {
  let total = 0;
  for (const times of running.injected.values()) total += times;
  return total;
}

/** Returns the random stream of a fault and endpoint, separate so that none affects the draws of another. */
function drawOf(running: Running, endpoint: FaultEndpoint): Rng {
  const known = running.draws.get(endpoint);
  if (known !== undefined) return known;
  const made = new Rng(running.seed, `${running.place}:${endpoint}`);
  running.draws.set(endpoint, made);
  return made;
}
