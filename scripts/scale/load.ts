import { setTimeout as sleep } from "node:timers/promises";
import type { Door, Question } from "./ask-once.ts";

export type Sample = {
  /** When it was asked; performance.now(). */
  readonly at: number;
  /** Until its last answer, the second try included. */
  readonly ms: number;
  readonly question: string;
  /** What was wrong with the first answer; undefined where it was good. */
  readonly first: string | undefined;
  /** The same after the second try, on another process. */
  readonly failed: string | undefined;
  /** Answered, and said to be not complete. */
  readonly isSaidIncomplete: boolean;
};

export type LoadOptions = {
  readonly doors: readonly Door[];
  readonly key: string;
  readonly clients: number;
  /** Between an answer and the client's next question. */
  readonly thinkMs: number;
  readonly question: (turn: number) => Question & { readonly name: string };
};

/** As our client does (429, 500, 503), and where there was no answer at all; but on another process, and at once. */
const RETRIED = new Set(["429", "500", "502", "503", "reset", "timeout"]);
const INCOMPLETE = '"complete":false';

/** So many clients, each with one question at a time, round and round over the processes. Paused at first. */
export class Load {
  readonly #options: LoadOptions;
  readonly #samples: Sample[] = [];
  readonly #stopping = new AbortController();
  readonly #running: readonly Promise<void>[];
  #gate = Promise.withResolvers<void>();
  #isOpen = false;
  #turn = 0;
  #busy = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#running = Array.from({ length: options.clients }, () => this.#ask());
  }

  /** What was asked in a stretch of performance.now(). */
  since(from: number, until = Number.POSITIVE_INFINITY): readonly Sample[] {
    return this.#samples.filter(({ at }) => at >= from && at < until);
  }

  go(): void {
    this.#isOpen = true;
    this.#gate.resolve();
  }

  /** Resolves when nothing is under way. */
  async pause(): Promise<void> {
    if (this.#isOpen) this.#gate = Promise.withResolvers<void>();
    this.#isOpen = false;
    while (this.#busy > 0) await sleep(20);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.go();
    await Promise.all(this.#running);
  }

  async #ask(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (!this.#isOpen) await this.#gate.promise;
      if (signal.aborted) return;
      this.#busy += 1;
      await this.#put();
      this.#busy -= 1;
      await sleep(this.#options.thinkMs);
    }
  }

  async #put(): Promise<void> {
    const { doors, key, question } = this.#options;
    const turn = this.#turn++;
    const asked = question(turn);
    const at = performance.now();
    const [own, other] = [doors[turn % doors.length], doors[(turn + 1) % doors.length]];
    if (own === undefined || other === undefined) throw new Error("there is nobody to ask");
    const first = await own.ask(key, asked);
    const isRetried = first.problem !== undefined && RETRIED.has(first.problem);
    const last = isRetried ? await other.ask(key, asked) : first;
    this.#samples.push({
      at,
      ms: performance.now() - at,
      question: asked.name,
      first: first.problem,
      failed: last.problem,
      isSaidIncomplete: last.problem === undefined && last.bytes.includes(INCOMPLETE),
    });
  }
}
