export type Row = Readonly<Record<string, unknown>>;

/** How a stream's answers agree with the truth. `extra` rows are none of the truth's. */
export type Tally = {
  readonly stream: string;
  readonly truth: number;
  readonly stored: number;
  readonly answered: number;
  readonly lost: number;
  readonly doubled: number;
  readonly extra: number;
  readonly wrong: number;
  /** The first few differences, for a person. */
  readonly examples: readonly string[];
  /** Keys of the truth that were not answered. */
  readonly lostKeys: readonly string[];
  /** Keys with fields that are wrong. */
  readonly wrongKeys: readonly string[];
};

const MOST_EXAMPLES = 8;

/** Takes the answered rows of a stream one by one and compares each with what the world says it should be. */
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
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push(text);
  }
}

/** A field that need not be one value: what it must be, in words, where it is not. */
export type Allowed = (got: unknown) => string | undefined;

/** The fields of a row that are not what was expected; an expected function says what is wrong by itself. */
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

/** The same moment, however it is written. */
export function sameMoment(ms: number | null): Allowed {
  return (got) => {
    if (ms === null) return got === null ? undefined : "null";
    return typeof got === "string" && Date.parse(got) === ms ? undefined : new Date(ms).toISOString();
  };
}

export function near(value: number, by: number): Allowed {
  return (got) => (Math.abs(Number(got) - value) <= by && got !== null ? undefined : `${value} ± ${by}`);
}
