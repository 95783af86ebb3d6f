/** A world to make; `keep` is a folder in which it stays. */
export type WorldSize = {
  readonly seed: number;
  readonly fills: number;
  readonly days: number;
  readonly wallets: number;
  /** Standing events, and how often everybody trades, times the usual; for worlds that are made in this process. */
  readonly events: number;
  readonly activity: number;
  readonly keep: string | undefined;
};

/** Measures something on several worlds. */
export type Accuracy = (worlds: readonly WorldSize[]) => Promise<{ readonly text: string; readonly value: unknown }>;
