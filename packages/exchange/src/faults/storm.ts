import { Rng } from "../world/core/rng.ts";
import type { FaultDoor } from "./fault-door.ts";
import { faultKinds } from "./fault-kinds.ts";
import type { FaultPlan } from "./fault-plan.ts";
import type { Fault, FaultKind, FaultOf } from "./fault.ts";

/** How often scheduled faults are looked at and what hangs is let go, wall ms. */
const TICK_MS = 50;
const MOST_FAULTS = 256;

/** A fault of the plan that is running, and what it did. */
export interface Running<F extends Fault = Fault> {
  readonly fault: F;
  /** Wall ms at which it was set. */
  readonly set_at: number;
  readonly injected: Map<FaultDoor, number>;
  readonly draws: Map<FaultDoor, Rng>;
  /** Of its plan. */
  readonly seed: number;
  /** First, second … fault since the last clear. */
  readonly place: number;
  /** Of a scheduled fault: the turn that was done last, −1 before the first. */
  turn: number;
}

/** A fault that strikes here and now. `landed` counts it, once something has really been changed. */
export interface Hit<F extends Fault = Fault> {
  readonly fault: F;
  readonly running: Running<F>;
  /** For what else is to be drawn: a status, a delay, which rows. */
  readonly draw: Rng;
  landed(): void;
  isOver(): boolean;
}

/** The plan that is in force: which fault strikes what, by seconds, share and count. Without a plan nothing is looked at. */
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

  /** False costs a caller nothing more than this question. */
  get isSet(): boolean {
    return this.#running.length > 0;
  }

  get seed(): number {
    return this.#seed;
  }

  get running(): readonly Running[] {
    return this.#running;
  }

  /** Puts a plan in force in place of what was, or in addition to it. Throws when there are more than 256 faults. */
  set(plan: FaultPlan, isAdded: boolean = false): void {
    const kept = isAdded ? this.#running : [];
    if (kept.length + plan.faults.length > MOST_FAULTS) throw new RangeError(`more than ${MOST_FAULTS} faults`);
    if (!isAdded) this.clear();
    this.#seed = plan.seed;
    this.#running = [...kept, ...plan.faults.map((fault) => this.#start(fault, plan.seed))];
    if (this.isSet) this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Ends every fault, and lets go what hangs. */
  clear(): void {
    this.#running = [];
    this.#made = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#tick();
  }

  /** Hears every 50 ms while a plan is in force, and once after it has ended. Returns the function that stops it. */
  onTick(listener: () => void): () => void {
    this.#ticks.add(listener);
    return () => void this.#ticks.delete(listener);
  }

  /** Is there a fault of this kind for this door, now or later? */
  has(kind: FaultKind, door: FaultDoor): boolean {
    return this.#running.some(({ fault }) => fault.kind === kind && isOn(fault, door));
  }

  /** The first fault of these kinds that strikes. A path is matched by its beginning. */
  strike<K extends FaultKind>(kinds: readonly K[], door: FaultDoor, path: string): Hit<FaultOf<K>> | undefined {
    for (const running of this.active(kinds, door, path)) {
      const draw = drawOf(running, door);
      if (running.fault.share >= 1 || draw.chance(running.fault.share)) return this.hit(running, door);
    }
    return undefined;
  }

  /** Every fault of these kinds that could strike now. */
  active<K extends FaultKind>(kinds: readonly K[], door: FaultDoor, path?: string): Running<FaultOf<K>>[] {
    return this.#running.filter((running): running is Running<FaultOf<K>> => {
      const { fault } = running;
      if (!(kinds as readonly FaultKind[]).includes(fault.kind) || !isOn(fault, door)) return false;
      if (path !== undefined && fault.path !== undefined && !path.startsWith(fault.path)) return false;
      return this.isActive(running) && totalOf(running) < (fault.count ?? Infinity);
    });
  }

  /**
   * Scheduled faults of a kind that are due: at once when they begin, then every `every_seconds`, each once a turn. What
   * was missed is not made up for.
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

  /** A strike of this fault, drawn by the caller. */
  hit<F extends Fault>(running: Running<F>, door: FaultDoor): Hit<F> {
    return {
      fault: running.fault,
      running,
      draw: drawOf(running, door),
      landed: () => void running.injected.set(door, (running.injected.get(door) ?? 0) + 1),
      isOver: () => !this.isActive(running),
    };
  }

  /** Within its seconds, and still part of the plan. */
  isActive(running: Running): boolean {
    const { after_seconds, for_seconds } = running.fault;
    const passed = this.elapsed(running) - after_seconds;
    return passed >= 0 && passed < (for_seconds ?? Infinity) && this.#running.includes(running);
  }

  /** Seconds since it was set. */
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

function isOn(fault: Fault, door: FaultDoor): boolean {
  return [fault.door ?? faultKinds[fault.kind].doors].flat().includes(door);
}

function totalOf(running: Running): number {
  let total = 0;
  for (const times of running.injected.values()) total += times;
  return total;
}

/** One stream of chance for each fault and door, so that neither disturbs the draws of another. */
function drawOf(running: Running, door: FaultDoor): Rng {
  const known = running.draws.get(door);
  if (known !== undefined) return known;
  const made = new Rng(running.seed, `${running.place}:${door}`);
  running.draws.set(door, made);
  return made;
}
