import type { Cut } from "./draw-simulation.ts";
import { beginLife, type Life, type LifePlace } from "./life.ts";
import type { SimNetwork } from "./sim-network.ts";

/** The lives of a run's service, one after another over the same data. */
export class Lives {
  readonly #cuts: Cut[];
  readonly #network: SimNetwork;
  readonly #placeOf: (kills: number) => LifePlace;
  readonly killed: Record<string, number> = {};
  readonly #buried: Promise<void>[] = [];
  #life: Life | undefined;
  #kills = 0;
  #downUntilMs = 0;
  #isLast = false;

  constructor(cuts: readonly Cut[], network: SimNetwork, placeOf: (kills: number) => LifePlace) {
    this.#cuts = [...cuts];
    this.#network = network;
    this.#placeOf = placeOf;
  }

  async begin(): Promise<Life> {
    // What the last one held of the folder is free once it is buried.
    await this.buried();
    const place = this.#placeOf(this.#kills);
    const life = await beginLife(place);
    this.#life = life;
    const cut = this.#cuts.shift();
    life.thread.onCut(() => this.#network.cutAll());
    void this.#whenKilled(life, place.clock, cut?.downSeconds ?? 0);
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
    if (needsKill && this.#kills === 0) this.#life?.thread.cut("the end");
    const life = this.#life;
    return life?.thread.isAlive === true ? life : this.begin();
  }

  /** Ends the last one, which is no kill. */
  end(): void {
    const life = this.#life;
    if (life?.thread.isAlive !== true) return;
    this.#bury(life);
    this.#life = undefined;
    life.thread.retire();
  }

  async buried(): Promise<void> {
    await Promise.all(this.#buried);
  }

  async #whenKilled(life: Life, clock: LifePlace["clock"], downSeconds: number): Promise<void> {
    const where = await life.thread.killed;
    this.#kills += 1;
    this.killed[where] = (this.killed[where] ?? 0) + 1;
    this.#downUntilMs = clock.now() + downSeconds * 1000;
    this.#bury(life);
  }

  #bury(life: Life): void {
    this.#buried.push(life.bury());
  }
}
