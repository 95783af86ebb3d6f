import type { Row } from "../tally.ts";

export type SeenCounts = {
  readonly polls: number;
  /** Ids returned. */
  readonly ids: number;
  /** Ids in excess of the real fills with the same fields: a trade under two ids, or one that never existed. */
  readonly underTwoIds: number;
  /** Fields that differ from when their row was first seen. */
  readonly changed: number;
  /** Ids that disappeared from between older and newer rows. */
  readonly vanished: number;
  readonly examples: readonly string[];
};

/** Fields of a trade that every source reports. Some fills of a transaction are equal in them. */
const LEG = ["transaction_hash", "proxy_wallet", "token_id", "side", "size"] as const;
const MAX_EXAMPLES = 8;

/** Observations of a client that polls the newest trades and keeps them by `id`. */
export class SeenTrades {
  readonly #first = new Map<string, Row>();
  readonly #gone = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #examples: string[] = [];
  #polls = 0;

  /** A page, newest first; `limit` rows were requested. */
  take(rows: readonly Row[], limit: number): void {
    this.#polls += 1;
    for (const row of rows) this.#compare(String(row["id"]), row);
    const now = new Set(rows.map((row) => String(row["id"])));
    // The page may cut off rows of its last second.
    const last = rows.length < limit ? "" : String(rows.at(-1)?.["timestamp"]);
    for (const [id, row] of this.#first) {
      if (now.has(id) || String(row["timestamp"]) <= last || this.#gone.has(id)) continue;
      this.#gone.add(id);
      this.#note(`vanished: ${id} of ${String(row["timestamp"])}`);
    }
  }

  /** `fillsOf`: the real number of fills of a leg. */
  end(fillsOf: (leg: string) => number): SeenCounts {
    const legs = Map.groupBy(this.#first, ([, row]) => legOf(row));
    let underTwoIds = 0;
    for (const [leg, seen] of legs) {
      const more = seen.length - fillsOf(leg);
      if (more <= 0) continue;
      underTwoIds += more;
      this.#note(`${seen.length} ids for ${fillsOf(leg)} fills: ${seen.map(([id]) => id).join(", ")}`);
    }
    return {
      polls: this.#polls,
      ids: this.#first.size,
      underTwoIds,
      changed: this.#changed.size,
      vanished: this.#gone.size,
      examples: this.#examples,
    };
  }

  #compare(id: string, row: Row): void {
    const first = this.#first.get(id);
    if (first === undefined) {
      this.#first.set(id, row);
      return;
    }
    for (const [field, value] of Object.entries(row)) {
      if (Object.is(first[field], value) || this.#changed.has(`${id} ${field}`)) continue;
      this.#changed.add(`${id} ${field}`);
      this.#note(`changed: ${field} of ${id} was ${JSON.stringify(first[field])}, is ${JSON.stringify(value)}`);
    }
  }

  #note(text: string): void {
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(text);
  }
}

export const legOf = (row: Row): string => LEG.map((field) => String(row[field])).join(" ");
