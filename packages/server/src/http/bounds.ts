/** Limits of the HTTP server. Times in milliseconds, sizes in bytes. */
export type Bounds = Readonly<typeof DEFAULT_BOUNDS>;

export const DEFAULT_BOUNDS = {
  maxBodyBytes: 64 * 1024,
  /** A body over `maxBodyBytes` is read and discarded up to this size, so that its sender can read the answer. */
  maxDrainBytes: 4 * 1024 * 1024,
  maxNesting: 32,
  maxAsks: 256,
  /** Per account, whatever its plan allows, so that no account takes all slots. */
  maxAsksOfOne: 128,
  askTimeoutMs: 30_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 72_000,
  idleSocketTimeoutMs: 120_000,
  maxRequestsPerSocket: 100_000,
  maxConnections: 10_000,
  /** Per address, trusted proxies excepted. */
  maxConnectionsOfOne: 512,
  /** 401 and 429 answers sent without delay per address and second; further ones are delayed by `refusalHoldMs`. */
  maxRefusalsOfOne: 20,
  refusalHoldMs: 1000,
  maxHeaderBytes: 16 * 1024,
  stopTimeoutMs: 10_000,
  compressAboveBytes: 1024,
};
