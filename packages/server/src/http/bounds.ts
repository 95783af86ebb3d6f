/** The door's bounds. Times in milliseconds, sizes in bytes. */
export type Bounds = {
  readonly maxBodyBytes: number;
  /** A body over `maxBodyBytes` is read and thrown away up to this, so that its sender can read the answer. */
  readonly maxDrainBytes: number;
  readonly maxNesting: number;
  readonly maxAsks: number;
  /** Of one account, whatever its plan allows, so that no one takes all places. */
  readonly maxAsksOfOne: number;
  readonly askTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly idleSocketTimeoutMs: number;
  readonly maxRequestsPerSocket: number;
  readonly maxConnections: number;
  /** Of one address, trusted proxies excepted. */
  readonly maxConnectionsOfOne: number;
  /** 401 and 429 that one address is sent at once within a second; those beyond are held for `refusalHoldMs`. */
  readonly maxRefusalsOfOne: number;
  readonly refusalHoldMs: number;
  readonly maxHeaderBytes: number;
  readonly stopTimeoutMs: number;
  readonly compressAboveBytes: number;
};

export const DEFAULT_BOUNDS: Bounds = {
  maxBodyBytes: 64 * 1024,
  maxDrainBytes: 4 * 1024 * 1024,
  maxNesting: 32,
  maxAsks: 256,
  maxAsksOfOne: 128,
  askTimeoutMs: 30_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 72_000,
  idleSocketTimeoutMs: 120_000,
  maxRequestsPerSocket: 100_000,
  maxConnections: 10_000,
  maxConnectionsOfOne: 512,
  maxRefusalsOfOne: 20,
  refusalHoldMs: 1000,
  maxHeaderBytes: 16 * 1024,
  stopTimeoutMs: 10_000,
  compressAboveBytes: 1024,
};
