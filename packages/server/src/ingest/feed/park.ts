/** A page that could not be read, kept whole so that it can be replayed once the reader is put right. */
export type ParkedPage = {
  readonly stream: string;
  readonly host: string;
  readonly route: string;
  readonly path: string;
  readonly problem: string;
  readonly field: string;
  readonly sample: string;
  readonly body: string;
};

export type Park = (page: ParkedPage) => Promise<void>;
