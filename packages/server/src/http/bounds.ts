/** The door's bounds. Times in milliseconds, sizes in bytes. */
export type Bounds = Readonly<typeof DEFAULT_BOUNDS>;

export const DEFAULT_BOUNDS = {
  maxBodyBytes: 64 * 1024,
  /** A body over `maxBodyBytes` is read and thrown away up to this, so that its sender can read the answer. */
  maxDrainBytes: 4 * 1024 * 1024,
  maxNesting: 32,
  maxAsks: 256,
  /** Of one account, whatever its plan allows, so that no one takes all places. */
  maxAsksOfOne: 128,
  askTimeoutMs: 30_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 72_000,
  idleSocketTimeoutMs: 120_000,
  maxRequestsPerSocket: 100_000,
  maxConnections: 10_000,
  /** Of one address, trusted proxies excepted. */
  maxConnectionsOfOne: 512,
  /** 401 and 429 that one address is sent at once within a second; those beyond are held for `refusalHoldMs`. */
  maxRefusalsOfOne: 20,
  refusalHoldMs: 1000,
  maxHeaderBytes: 16 * 1024,
  stopTimeoutMs: 10_000,
  compressAboveBytes: 1024,
};
