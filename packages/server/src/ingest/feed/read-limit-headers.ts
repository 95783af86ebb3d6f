/** Rate limit state in the headers of an answer; fields are absent if the headers lack them. */
export type LimitHeaders = {
  readonly retryAfterMs?: number;
  readonly remainingShare?: number;
  readonly resetMs?: number;
};

/**
 * Reads Retry-After (seconds or a date), RateLimit (RFC draft: `"name";r=50;t=30`), RateLimit-*, X-RateLimit-* and
 * X-Rate-Limit-* (reset in seconds, or a Unix time).
 */
export function readLimitHeaders(header: (name: string) => string | null, nowMs: number): LimitHeaders {
  const structured = header("ratelimit") ?? "";
  const plain = (part: string) =>
    ["ratelimit", "x-ratelimit", "x-rate-limit"].map((prefix) => header(`${prefix}-${part}`));
  const remaining = firstNumber(/(?:^|;|,)\s*r(?:emaining)?=(\d+)/.exec(structured)?.[1], plain("remaining"));
  const limit = firstNumber(/(?:^|;|,)\s*limit=(\d+)/.exec(structured)?.[1], plain("limit"));
  const reset = firstNumber(/(?:^|;|,)\s*(?:t|reset)=(\d+)/.exec(structured)?.[1], plain("reset"));
  const retryAfterMs = toRetryAfterMs(header("retry-after"), nowMs);
  const share = remaining === 0 ? 0 : remaining !== undefined && limit ? remaining / limit : undefined;
  return {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(share === undefined ? {} : { remainingShare: share }),
    ...(reset === undefined ? {} : { resetMs: toResetMs(reset, nowMs) }),
  };
}

function firstNumber(structured: string | undefined, plain: readonly (string | null)[]): number | undefined {
  for (const text of [structured, ...plain]) {
    const value = /^\s*(\d+(?:\.\d+)?)/.exec(text ?? "")?.[1];
    if (value !== undefined) return Number(value);
  }
  return undefined;
}

function toResetMs(reset: number, nowMs: number): number {
  if (reset > 1e12) return Math.max(0, reset - nowMs);
  return Math.max(0, reset > 1e9 ? reset * 1000 - nowMs : reset * 1000);
}

function toRetryAfterMs(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text) * 1000;
  const timestamp = Date.parse(text);
  return Number.isNaN(timestamp) ? undefined : Math.max(0, timestamp - nowMs);
}
