/** A world to generate; `keep` is a folder in which it is kept. */
export type WorldSize = {
  readonly seed: number;
  readonly fills: number;
  readonly days: number;
  readonly wallets: number;
  /** Standing events, and trading activity as a multiple of the usual; for worlds generated in this process. */
  readonly events: number;
  readonly activity: number;
  readonly keep: string | undefined;
};

/** Measures something on several worlds. */
export type Accuracy = (worlds: readonly WorldSize[]) => Promise<{ readonly text: string; readonly value: unknown }>;
