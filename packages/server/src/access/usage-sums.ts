/** What requests add up to. */
export type UsageSums = {
  requests: number;
  rows: number;
  bytes: number;
  ms: number;
  /** Bucket of times (access/latency-buckets.ts) → requests. */
  readonly times: Map<number, number>;
};

export function addUsage(sums: UsageSums, more: Readonly<UsageSums>): void {
  sums.requests += more.requests;
  sums.rows += more.rows;
  sums.bytes += more.bytes;
  sums.ms += more.ms;
  for (const [bucket, requests] of more.times) sums.times.set(bucket, (sums.times.get(bucket) ?? 0) + requests);
}
