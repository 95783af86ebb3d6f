import { type Ask, byCursor } from "../ask.ts";
import type { Row } from "../tally.ts";

const PAGE_ROWS = 500;

/** A client that requests rows since its newest trade, and keeps each as first seen. */
export class TailClient {
  readonly #ask: Ask;
  readonly #kept = new Map<string, Row>();
  #since: string;

  /** `since`: the first second requested, ISO. */
  constructor(ask: Ask, since: string) {
    this.#ask = ask;
    this.#since = since;
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#kept;
  }

  async follow(): Promise<void> {
    const params = { start_time: this.#since };
    for await (const rows of byCursor(this.#ask, { agentId: 556, params, limit: PAGE_ROWS })) {
      for (const row of rows) {
        const id = String(row["id"]);
        if (!this.#kept.has(id)) this.#kept.set(id, row);
        if (String(row["timestamp"]) > this.#since) this.#since = String(row["timestamp"]);
      }
    }
  }
}
