import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";

type Flight = {
  /** Whose silence holds it up. */
  readonly nodes: readonly ClusterNode[];
  /** Can be sent again elsewhere: it does not wait until a late node is given up. */
  readonly isRepeatable: boolean;
  readonly controller: AbortController;
};

/** Statements under way, so that a node that falls silent does not hold them. */
export class Flights {
  readonly #under = new Set<Flight>();

  /** Runs one until it ends, `signal` ends it, or one of its nodes falls silent. */
  async follow<T>(
    { nodes, isRepeatable, signal }: Omit<Flight, "controller"> & { readonly signal?: AbortSignal | undefined },
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const flight = { nodes, isRepeatable, controller: new AbortController() };
    this.#under.add(flight);
    try {
      const own = flight.controller.signal;
      return await run(signal === undefined ? own : AbortSignal.any([own, signal]));
    } finally {
      this.#under.delete(flight);
    }
  }

  /** Waits for work of several statements, no longer than all its nodes are there. Throws StoreError "absent". */
  async whileThere<T>(nodes: readonly ClusterNode[], work: () => Promise<T>): Promise<T> {
    return await this.follow({ nodes, isRepeatable: false }, async (signal) => {
      const { promise: gone, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(new StoreError("absent", 0, "a node fell silent")), { once: true });
      const working = work();
      // What goes on without us ends by itself.
      working.catch(() => undefined);
      return await Promise.race([working, gone]);
    });
  }

  endWith(node: ClusterNode, isAway: boolean): void {
    for (const flight of this.#under)
      if ((isAway || flight.isRepeatable) && flight.nodes.includes(node)) flight.controller.abort();
  }
}
