export type Row = Readonly<Record<string, unknown>>;

/** Agreement of a stream's responses with the ground truth. `extra` rows are not in the truth. */
export type Tally = {
  readonly stream: string;
  readonly truth: number;
  readonly stored: number;
  readonly answered: number;
  readonly lost: number;
  readonly doubled: number;
  readonly extra: number;
  readonly wrong: number;
  /** The first few differences, readable. */
  readonly examples: readonly string[];
  /** Keys of the truth that were not returned. */
  readonly lostKeys: readonly string[];
  /** Keys with wrong fields. */
  readonly wrongKeys: readonly string[];
};

const MAX_EXAMPLES = 8;

/** Takes the returned rows of a stream one by one and compares each with the row expected from the world. */
export class Comparison<T> {
  readonly #truth: ReadonlyMap<string, T>;
  readonly #expect: (truth: T) => Row;
  readonly #seen = new Set<string>();
  readonly #examples: string[] = [];
  readonly #wrongKeys: string[] = [];
  #answered = 0;
  #doubled = 0;
  #extra = 0;
  #wrong = 0;

  constructor(truth: ReadonlyMap<string, T>, expect: (truth: T) => Row) {
    this.#truth = truth;
    this.#expect = expect;
  }

  take(key: string, row: Row): void {
    this.#answered += 1;
    const truth = this.#truth.get(key);
    if (truth === undefined) {
      this.#extra += 1;
      return this.#note(`not in the truth: ${key}`);
    }
    if (this.#seen.has(key)) {
      this.#doubled += 1;
      return this.#note(`twice: ${key}`);
    }
    this.#seen.add(key);
    const wrong = wrongFields(this.#expect(truth), row);
    this.#wrong += wrong.length;
    if (wrong.length > 0) this.#wrongKeys.push(key);
    for (const text of wrong) this.#note(`${key} ${text}`);
  }

  end(stream: string, stored: number): Tally {
    const lostKeys = [...this.#truth.keys()].filter((key) => !this.#seen.has(key));
    for (const key of lostKeys) this.#note(`lost: ${key}`);
    return {
      stream,
      truth: this.#truth.size,
      stored,
      answered: this.#answered,
      lost: lostKeys.length,
      doubled: this.#doubled,
      extra: this.#extra,
      wrong: this.#wrong,
      examples: this.#examples,
      lostKeys,
      wrongKeys: this.#wrongKeys,
    };
  }

  #note(text: string): void {
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(text);
  }
}

/** Checks a field with several allowed values: returns a description of the allowed ones if it does not match. */
export type Allowed = (got: unknown) => string | undefined;

/** The fields of a row that differ from the expected ones; an expected function describes the mismatch itself. */
function wrongFields(expected: Row, row: Row): string[] {
  return Object.entries(expected).flatMap(([field, value]) => {
    const got = row[field];
    if (typeof value === "function") {
      const wrong = (value as Allowed)(got);
      return wrong === undefined ? [] : [`${field} is ${JSON.stringify(got)}: expected ${wrong}`];
    }
    return Object.is(got, value) ? [] : [`${field} is ${JSON.stringify(got)}: expected ${JSON.stringify(value)}`];
  });
}

export const isAgreed = (tally: Tally): boolean =>
  tally.truth === tally.stored &&
  tally.truth === tally.answered &&
  tally.lost + tally.doubled + tally.extra + tally.wrong === 0;

/** The same time in any notation. */
export function sameTimestamp(ms: number | null): Allowed {
  return (got) => {
    if (ms === null) return got === null ? undefined : "null";
    return typeof got === "string" && Date.parse(got) === ms ? undefined : new Date(ms).toISOString();
  };
}

export function near(value: number, by: number): Allowed {
  return (got) => (Math.abs(Number(got) - value) <= by && got !== null ? undefined : `${value} ± ${by}`);
}
