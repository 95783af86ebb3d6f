import type { Cut } from "./draw-simulation.ts";
import { beginLife, type Life, type LifePlace } from "./life.ts";
import type { PowerCuts } from "./power-cuts.ts";
import type { SimNetwork } from "./sim-network.ts";

/** How a run's service processes end: kills, and power cuts with the files they leave. */
export type Ends = { readonly cuts: readonly Cut[]; readonly powerCuts: PowerCuts };

/** Consecutive processes of a run's service over the same data. */
export class Lives {
  readonly #cuts: Cut[];
  readonly #powerCuts: PowerCuts;
  readonly #network: SimNetwork;
  readonly #placeOf: (kills: number) => LifePlace;
  readonly killed: Record<string, number> = {};
  /** Number of serving index files that the buried processes found damaged. */
  damaged = 0;
  readonly #buried: Promise<void>[] = [];
  #life: Life | undefined;
  #kills = 0;
  #downUntilMs = 0;
  #isLast = false;

  constructor({ cuts, powerCuts }: Ends, network: SimNetwork, placeOf: (kills: number) => LifePlace) {
    this.#cuts = [...cuts];
    this.#powerCuts = powerCuts;
    this.#network = network;
    this.#placeOf = placeOf;
  }

  async begin(): Promise<Life> {
    // The previous process holds its part of the folder until it is buried.
    await this.buried();
    const place = this.#placeOf(this.#kills);
    this.#powerCuts.begin();
    const life = await beginLife(place);
    this.#life = life;
    const cut = this.#cuts.shift();
    life.thread.onCut(() => this.#network.cutAll());
    void this.#whenKilled(life, place, cut?.downSeconds ?? 0);
    if (cut !== undefined)
      place.clock.after(cut.afterSeconds * 1000, () => void (this.#isLast || life.thread.cutAfter(cut.steps)));
    return life;
  }

  /** Starts the next process if the last one has ended and its downtime is over. */
  async look(): Promise<void> {
    const { clock } = this.#placeOf(this.#kills);
    if (this.#life?.thread.isAlive === false && clock.now() >= this.#downUntilMs) await this.begin();
  }

  /** The process that is judged: no other follows. `needsKill`: it must not be the first. */
  async last(needsKill: boolean): Promise<Life> {
    this.#cuts.length = 0;
    // A pending cut would end the process that is judged.
    this.#isLast = true;
    this.#life?.thread.cutAfter(Number.POSITIVE_INFINITY);
    if (needsKill && this.#kills === 0) {
      this.#life?.thread.cut("the end");
      // By then its burial is in progress, which the next process waits for.
      await this.#life?.thread.killed;
    }
    const life = this.#life;
    return life?.thread.isAlive === true ? life : this.begin();
  }

  /** Ends the last process without a kill. */
  end(): void {
    const life = this.#life;
    if (life?.thread.isAlive !== true) return;
    this.#buried.push(this.#bury(life));
    this.#life = undefined;
    life.thread.retire();
  }

  async buried(): Promise<void> {
    await Promise.all(this.#buried);
  }

  async #whenKilled(life: Life, place: LifePlace, downSeconds: number): Promise<void> {
    const where = await life.thread.killed;
    this.#kills += 1;
    this.killed[where] = (this.killed[where] ?? 0) + 1;
    this.#downUntilMs = place.clock.now() + downSeconds * 1000;
    this.#buried.push(this.#buryKilled(life, place));
  }

  async #buryKilled(life: Life, { log, number }: LifePlace): Promise<void> {
    await this.#bury(life);
    const torn = this.#powerCuts.end(number);
    if (torn.length > 0) log.info({ life: number, torn }, "a power cut left files in part");
  }

  async #bury(life: Life): Promise<void> {
    await life.bury();
    this.damaged += await life.damaged();
  }
}
