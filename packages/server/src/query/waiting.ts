/** A caller waiting for an answer. */
export type Waiter = {
  /** Calls back once the caller has disconnected; immediately if it already has. */
  readonly onGone: (report: () => void) => void;
};

/**
 * The callers waiting for one answer, which is unwanted once all have disconnected; a caller that cannot disconnect (no
 * waiter) has it run to the end. Listeners are added only when the signal is requested: most answers are ready before
 * it matters.
 */
export class Waiting {
  readonly #unreceived: Waiter[] = [];
  readonly #ending: () => void;
  #here = 0;
  #controller: AbortController | undefined;

  /** `ending` is called just before the signal is aborted. */
  constructor(ending: () => void) {
    this.#ending = ending;
  }

  add(waiter: Waiter | undefined): void {
    this.#here += 1;
    if (waiter === undefined) return;
    if (this.#controller === undefined) this.#unreceived.push(waiter);
    else this.#listen(waiter, this.#controller);
  }

  get isOver(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    for (const waiter of this.#unreceived.splice(0)) this.#listen(waiter, controller);
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
