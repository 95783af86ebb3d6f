/** One request of the fuzz and what may come back. */
export type FuzzRequest = {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** The statuses that are right; anything under 500 where it is left open. */
  readonly right?: readonly number[];
};

/** What the generator may build on. */
export type FuzzMatter = {
  readonly key: string;
  readonly path: string;
  readonly datasets: readonly FuzzDataset[];
};

export type FuzzDataset = {
  readonly agentId: number;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly sample: string }[];
  readonly maxLimit: number;
  /** Cursors that the service gave for questions of this dataset, with the parameters they belong to. */
  readonly cursors: readonly { readonly cursor: string; readonly params: Readonly<Record<string, string>> }[];
};
