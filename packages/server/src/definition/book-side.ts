import type { Format } from "./column.ts";
import { microsOf, type Micros } from "./micros.ts";

/** A stored price level: decimal texts without trailing zeros, with parsed and derived values cached. */
export class BookLevel {
  readonly price: Micros;
  readonly size: Micros;
  readonly #texts: readonly [price: string, size: string];
  readonly #printed: Partial<Record<Format, string>> = {};
  #worth: Micros | undefined;

  constructor(text: string) {
    const blank = text.indexOf(" ");
    this.#texts = [text.slice(0, blank), text.slice(blank + 1)];
    this.price = microsOf(this.#texts[0]);
    this.size = microsOf(this.#texts[1]);
  }

  /** Price times size, in units of 10^-12. */
  get worth(): Micros {
    this.#worth ??= timesMicros(this.price, this.size);
    return this.#worth;
  }

  /** Prints as the engine does: in raw both as strings (escaped, within a JSON string), in typed both as numbers. */
  printedIn(format: Format): string {
    const [price, size] = this.#texts;
    this.#printed[format] ??=
      format === "raw"
        ? String.raw`{\"size\":\"${size}\",\"price\":\"${price}\"}`
        : `{"price":${price},"size":${size}}`;
    return this.#printed[format];
  }
}

/** The product of two amounts, exactly. */
export function timesMicros(a: Micros, b: Micros): Micros {
  const product = Number(a) * Number(b);
  return typeof a === "number" && typeof b === "number" && product <= Number.MAX_SAFE_INTEGER
    ? product
    : BigInt(a) * BigInt(b);
}

/** The levels of one side of a book, the best last: bids by rising price, asks by falling. */
export class BookSide {
  readonly #isFalling: boolean;
  #levels: BookLevel[] = [];

  constructor(side: "bids" | "asks") {
    this.#isFalling = side === "asks";
  }

  clear(): void {
    this.#levels = [];
  }

  /** Sets the new size of each level (`price size,…`); size 0 removes the level. */
  change(levels: string): void {
    if (levels === "") return;
    for (const text of levels.split(",")) this.#set(new BookLevel(text));
  }

  /** The best `depth` levels, or all. */
  shown(depth: number | undefined): readonly BookLevel[] {
    return depth === undefined ? this.#levels.slice() : this.#levels.slice(-depth);
  }

  best(): BookLevel | undefined {
    return this.#levels.at(-1);
  }

  #set(level: BookLevel): void {
    const at = this.#placeOf(level.price);
    const isThere = this.#levels[at]?.price === level.price;
    if (level.size > 0) this.#levels.splice(at, isThere ? 1 : 0, level);
    else if (isThere) this.#levels.splice(at, 1);
  }

  /** Index of the first level that is no worse; tries the end first, where most changes and snapshot levels go. */
  #placeOf(price: Micros): number {
    let [low, high] = [0, this.#levels.length];
    if (high > 0 && this.#isWorse((this.#levels[high - 1] as BookLevel).price, price)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isWorse((this.#levels[middle] as BookLevel).price, price)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isWorse(price: Micros, than: Micros): boolean {
    return this.#isFalling ? price > than : price < than;
  }
}
