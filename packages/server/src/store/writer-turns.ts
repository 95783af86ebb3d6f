import { setTimeout as sleep } from "node:timers/promises";
import { bind, sql } from "../definition/sql.ts";
import { endStaged } from "./end-writers.ts";
import type { EngineLine } from "./engine-line.ts";
import type { Fence } from "./fence.ts";
import { toNumbered } from "./statement.ts";

/** Another writer is storing rows of the same table: nothing was published, and the batch is to be stored again. */
export class Overlap extends Error {}

type Of = {
  readonly everyNode: EngineLine["everyNode"];
  readonly table: string;
  /** Our own staging table. */
  readonly staged: string;
  readonly fence: Fence;
};

const LOOK_MS = 20;
const MOST_RANDOM_MS = 100;
/** Longer than a statement may take: whoever has rows staged for so long is gone, or is ended. */
const PATIENCE_MS = 150_000;

/**
 * Keeps a guest's batch and an owner's from being compared with what is stored at the same moment, which could store a
 * row twice. Rows in a writer's staging table say that it is storing. Where there are guests, each writer stages its rows
 * first, then looks whether another has any, and goes on only where none has: of two that overlap, one sees the other at
 * least. `docs/roles.md` says how an owner knows of guests.
 */
export class WriterTurns {
  readonly #of: Of;

  constructor(of: Of) {
    this.#of = of;
  }

  /** Once the rows are staged, before anything is compared. Throws Overlap. */
  async enter(): Promise<void> {
    if (this.#mayMeet() && (await this.#storing()).length > 0) throw new Overlap();
  }

  /** After an overlap: until each that is storing now was seen without staged rows; whoever is not in time is ended. */
  async wait(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    let waiting = await this.#storing();
    while (waiting.length > 0 && this.#mayMeet()) {
      if (performance.now() > until) {
        await endStaged(
          this.#of.everyNode,
          waiting.flatMap((name) => [name, name.replace(/^staged/, "fresh")]),
        );
        return;
      }
      await sleep(LOOK_MS);
      const still = new Set(await this.#storing());
      waiting = waiting.filter((name) => still.has(name));
    }
    // An owner has precedence, and two guests that gave way to each other do not meet again.
    if (this.#of.fence.isGuest === true) await sleep(LOOK_MS + Math.random() * MOST_RANDOM_MS);
  }

  #mayMeet(): boolean {
    const { isGuest = false, hasGuests } = this.#of.fence;
    return isGuest || hasGuests?.() === true;
  }

  /** Staging tables of those a batch must not meet: guests meet everybody, owners of one table are one at a time. */
  async #storing(): Promise<string[]> {
    const { everyNode, table, staged, fence } = this.#of;
    const whose = fence.isGuest === true ? "(guest_)?" : "guest_";
    const named = sql`match(name, ${bind("String", `^staged_${table}_${whose}[0-9a-f]{12}$`)}) AND name != ${bind("String", staged)}`;
    const answers = await everyNode(
      toNumbered(
        sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND ${named} AND total_rows > 0 FORMAT TSV`,
      ),
    );
    return answers.flatMap((bytes) => bytes.toString("utf8").split("\n")).filter((name) => name !== "");
  }
}
