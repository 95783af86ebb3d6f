export type SessionRows = {
  readonly rows: readonly Record<string, unknown>[];
  /** PostgreSQL's command tag, e.g. "UPDATE": in a failed transaction COMMIT is answered with "ROLLBACK". */
  readonly command: string;
  readonly rowCount: number | null;
};

/** One database session: statements on it run in order and may form a transaction. */
export type Session = {
  readonly query: (text: string, parameters: readonly unknown[]) => Promise<SessionRows>;
  /** Releases the session; a broken one is not used again. */
  readonly release: (isBroken?: boolean) => void;
};

/** The source of sessions: PostgreSQL, or our own embedded database. */
export type Sessions = {
  readonly acquire: () => Promise<Session>;
  readonly close: () => Promise<void>;
};

/** A bigint of the database as a number. Our counts stay far below 2^53; beyond it precision is lost, so it throws. */
export function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count)) throw new RangeError(`${text} is too large for a count`);
  return count;
}
