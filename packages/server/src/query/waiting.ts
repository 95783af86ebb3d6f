/** Who waits for an answer. */
export type Waiter = {
  /** Tells once that nobody reads the answer any more; right away where that is so already. */
  readonly onGone: (tell: () => void) => void;
};

/**
 * Those who wait for one answer. It is not wanted any more when all of them are gone; one who cannot go (no waiter) has it
 * worked out to the end. Nobody is listened to before the signal is asked for: most answers are there before it matters.
 */
export class Waiting {
  readonly #unheard: Waiter[] = [];
  readonly #ending: () => void;
  #here = 0;
  #controller: AbortController | undefined;

  /** `ending` is called right before the signal is aborted. */
  constructor(ending: () => void) {
    this.#ending = ending;
  }

  add(waiter: Waiter | undefined): void {
    this.#here += 1;
    if (waiter === undefined) return;
    if (this.#controller === undefined) this.#unheard.push(waiter);
    else this.#listen(waiter, this.#controller);
  }

  get isOver(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    for (const waiter of this.#unheard.splice(0)) this.#listen(waiter, controller);
    return controller.signal;
  }

  #listen(waiter: Waiter, controller: AbortController): void {
    waiter.onGone(() => {
      this.#here -= 1;
      if (this.#here > 0) return;
      this.#ending();
      controller.abort();
    });
  }
}
