import type { Row } from "../tally.ts";

export type SeenCounts = {
  readonly polls: number;
  /** Ids that were answered. */
  readonly ids: number;
  /** Ids beyond the number of fills that there are of what they say: a trade under two ids, or one that never was. */
  readonly underTwoIds: number;
  /** Fields that were not what they were when their row was seen first. */
  readonly changed: number;
  /** Ids that were missing among rows older and newer than theirs. */
  readonly vanished: number;
  readonly examples: readonly string[];
};

/** A trade by what every source tells of it. Some fills of a transaction are alike in it. */
const LEG = ["transaction_hash", "proxy_wallet", "token_id", "side", "size"] as const;
const MOST_EXAMPLES = 8;

/** What a caller notes who asks for the newest trades again and again and keeps them by `id`. */
export class SeenTrades {
  readonly #first = new Map<string, Row>();
  readonly #gone = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #examples: string[] = [];
  #polls = 0;

  /** A page, newest first; `limit` rows were asked for. */
  take(rows: readonly Row[], limit: number): void {
    this.#polls += 1;
    for (const row of rows) this.#compare(String(row["id"]), row);
    const now = new Set(rows.map((row) => String(row["id"])));
    // Rows of the page's last second may be cut off by it.
    const last = rows.length < limit ? "" : String(rows.at(-1)?.["timestamp"]);
    for (const [id, row] of this.#first) {
      if (now.has(id) || String(row["timestamp"]) <= last || this.#gone.has(id)) continue;
      this.#gone.add(id);
      this.#note(`vanished: ${id} of ${String(row["timestamp"])}`);
    }
  }

  /** `fillsOf`: how many fills of a leg there are in truth. */
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
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push(text);
  }
}

export const legOf = (row: Row): string => LEG.map((field) => String(row[field])).join(" ");
