import { StoreError } from "../store/statement.ts";

/** Maximum concurrent and waiting tasks; a rejected task throws `refusal`. */
export type QueueBounds = { readonly places: number; readonly waiting: number; readonly refusal: () => Error };

type Waiting = { readonly begin: () => void; readonly refuse: (error: Error) => void };

/**
 * Shares slots among accounts: a free slot goes to the account that uses fewest, among equals to the one whose last
 * task ended longest ago. So an account with one task waits for one running task to end, however many others queue.
 * When too many wait, the newest task of the account with the most is evicted.
 */
export class FairQueue {
  readonly #bounds: QueueBounds;
  #free: number;
  #waiting = 0;
  /** Accounts that hold slots. */
  readonly #taken = new Map<string, number>();
  /** Ordered so that the account whose task ended most recently comes last. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
    this.#free = bounds.places;
  }

  /** Runs a task when its turn comes. Throws the refusal if it was evicted, StoreError "cancelled" if aborted first. */
  async take<T>(account: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (signal?.aborted) throw cancelled();
    if (this.#free > 0) this.#enter(account);
    else await this.#wait(account, signal);
    try {
      return await work();
    } finally {
      this.#leave(account);
    }
  }

  #enter(account: string): void {
    this.#free -= 1;
    this.#taken.set(account, (this.#taken.get(account) ?? 0) + 1);
  }

  #leave(account: string): void {
    const left = (this.#taken.get(account) ?? 0) - 1;
    if (left > 0) this.#taken.set(account, left);
    else this.#taken.delete(account);
    this.#free += 1;
    const queue = this.#queues.get(account);
    if (queue !== undefined) {
      this.#queues.delete(account);
      this.#queues.set(account, queue);
    }
    this.#serveNext();
  }

  #serveNext(): void {
    let [account, fewest] = ["", Infinity];
    for (const each of this.#queues.keys()) {
      const has = this.#taken.get(each) ?? 0;
      if (has < fewest) [account, fewest] = [each, has];
    }
    const next = this.#queues.get(account)?.[0];
    if (next === undefined) return;
    this.#remove(account, next);
    this.#enter(account);
    next.begin();
  }

  #remove(account: string, one: Waiting): boolean {
    const queue = this.#queues.get(account);
    const at = queue?.indexOf(one) ?? -1;
    if (queue === undefined || at < 0) return false;
    queue.splice(at, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#queues.delete(account);
    return true;
  }

  #makeRoom(account: string): void {
    if (this.#waiting < this.#bounds.waiting) return;
    let [longest, queue]: [string, readonly Waiting[]] = [account, []];
    for (const each of this.#queues) if (each[1].length > queue.length) [longest, queue] = each;
    const newest = queue.at(-1);
    const own = this.#queues.get(account)?.length ?? 0;
    if (newest === undefined || own + 1 >= queue.length) throw this.#bounds.refusal();
    this.#remove(longest, newest);
    newest.refuse(this.#bounds.refusal());
  }

  async #wait(account: string, signal: AbortSignal | undefined): Promise<void> {
    this.#makeRoom(account);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { begin: resolve, refuse: reject };
    const giveUp = (): void => {
      if (this.#remove(account, one)) reject(cancelled());
    };
    const queue = this.#queues.get(account) ?? [];
    queue.push(one);
    this.#queues.set(account, queue);
    this.#waiting += 1;
    signal?.addEventListener("abort", giveUp, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }
}

const cancelled = (): StoreError => new StoreError("cancelled", 0, "the caller no longer waits for the answer");
