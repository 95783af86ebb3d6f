import type { FaultOf } from "./fault.ts";
import type { Running, Storm } from "./storm.ts";

type Kind = "cut" | "reorg" | "restart";

/** Does scheduled faults when they are due: at once when they begin, then every `every_seconds`. What was missed is not made up for. */
export class Schedule {
  readonly #storm: Storm;
  readonly #done = new WeakMap<Running, number>();

  constructor(storm: Storm) {
    this.#storm = storm;
  }

  /** Faults of a kind that are due now. Each is due once a turn. */
  due<K extends Kind>(kind: K): Running<FaultOf<K>>[] {
    return this.#storm.running.filter((running): running is Running<FaultOf<K>> => {
      if (running.fault.kind !== kind || !this.#storm.isActive(running)) return false;
      const { after_seconds, every_seconds } = running.fault;
      const passed = this.#storm.elapsed(running) - after_seconds;
      const turn = every_seconds === undefined ? 0 : Math.floor(passed / every_seconds);
      if ((this.#done.get(running) ?? -1) >= turn) return false;
      this.#done.set(running, turn);
      return true;
    });
  }
}
