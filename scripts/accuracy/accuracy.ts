/** A world to make; `keep` is a folder in which it stays. */
export type WorldSize = {
  readonly seed: number;
  readonly fills: number;
  readonly days: number;
  readonly wallets: number;
  readonly keep: string | undefined;
};

/** Measures something on several worlds. */
export type Accuracy = (worlds: readonly WorldSize[]) => Promise<{ readonly text: string; readonly value: unknown }>;
