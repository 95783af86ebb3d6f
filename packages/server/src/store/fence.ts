/** Who may write rows now, where several processes could: see ingest/leader. */
export type Fence = {
  /** Rises from leader to leader; staging tables are named for it. */
  readonly token: number;
  /** Throws where this process may not write now. */
  readonly check: () => void;
};

/** Of a process that shares its column engine with nobody. */
export const OPEN_FENCE: Fence = { token: 0, check: () => undefined };
