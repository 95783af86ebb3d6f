export type SessionRows = {
  readonly rows: readonly Record<string, unknown>[];
  /** Rows written; absent for a statement that only reads. */
  readonly affected?: number;
};

/** One database session: statements on it run in order and may form a transaction. */
export type Session = {
  readonly query: (text: string, parameters: readonly unknown[]) => Promise<SessionRows>;
  /** Gives the session back. A session left inside a transaction is rolled back. */
  readonly release: () => Promise<void>;
};

/** Where sessions come from: PostgreSQL, our own embedded database, or another process's. */
export type Sessions = {
  readonly acquire: () => Promise<Session>;
  readonly close: () => Promise<void>;
};
