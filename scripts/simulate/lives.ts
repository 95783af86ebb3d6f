import type { Cut } from "./draw-simulation.ts";
import { beginLife, type Life, type LifePlace } from "./life.ts";
import type { PowerCuts } from "./power-cuts.ts";
import type { SimNetwork } from "./sim-network.ts";

/** What ends the lives of a run, and what it leaves. */
export type Ends = { readonly cuts: readonly Cut[]; readonly powerCuts: PowerCuts };

/** The lives of a run's service, one after another over the same data. */
export class Lives {
  readonly #cuts: Cut[];
  readonly #powerCuts: PowerCuts;
  readonly #network: SimNetwork;
  readonly #placeOf: (kills: number) => LifePlace;
  readonly killed: Record<string, number> = {};
  /** How many files of serving indexes the lives that are buried have found to be damaged. */
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
    // What the last one held of the folder is free once it is buried.
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

  /** Has the next life begin where the last one has ended. */
  async look(): Promise<void> {
    const { clock } = this.#placeOf(this.#kills);
    if (this.#life?.thread.isAlive === false && clock.now() >= this.#downUntilMs) await this.begin();
  }

  /** The life that is judged: no other follows. `needsKill`: it is not the first. */
  async last(needsKill: boolean): Promise<Life> {
    this.#cuts.length = 0;
    // A cut that is still to come would end the life that is judged.
    this.#isLast = true;
    this.#life?.thread.cutAfter(Number.POSITIVE_INFINITY);
    if (needsKill && this.#kills === 0) {
      this.#life?.thread.cut("the end");
      // By then its burial is under way, which the next one waits for.
      await this.#life?.thread.killed;
    }
    const life = this.#life;
    return life?.thread.isAlive === true ? life : this.begin();
  }

  /** Ends the last one, which is no kill. */
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
