import { AlmanacError } from "./almanac-error.ts";
import type { Answer, Coverage, Rate } from "./answer.ts";

type Wire<R> = {
  readonly data: { readonly results: readonly R[] };
  readonly pagination: {
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  };
  readonly params: Readonly<Record<string, string>>;
  readonly coverage: Omit<Coverage, "reasons"> & { readonly reasons?: readonly string[] };
  readonly warnings?: readonly string[];
  readonly timestamp: string;
  readonly request_id: string;
};

/**
 * Reads a page of rows. Throws AlmanacError (UNREADABLE) for a successful response that is not from an Almanac service.
 */
export async function readAnswer<R>(response: Response): Promise<Answer<R>> {
  const wire = await wireOf<R>(response);
  const { limit, offset, has_more, next_cursor } = wire.pagination;
  return {
    results: wire.data.results,
    pagination: { limit, offset, hasMore: has_more, nextCursor: next_cursor },
    coverage: { ...wire.coverage, reasons: wire.coverage.reasons ?? [] },
    params: wire.params,
    warnings: wire.warnings ?? [],
    timestamp: wire.timestamp,
    requestId: wire.request_id,
    rate: rateOf(response.headers),
  };
}

async function wireOf<R>(response: Response): Promise<Wire<R>> {
  const text = await response.text();
  let parsed: Partial<Wire<R>> | null = null;
  try {
    parsed = JSON.parse(text) as Partial<Wire<R>> | null;
  } catch {
    parsed = null;
  }
  if (Array.isArray(parsed?.data?.results) && parsed.pagination && parsed.coverage) return parsed as Wire<R>;
  throw unreadable(response);
}

export function unreadable({ status, headers }: Response): AlmanacError {
  return new AlmanacError("The answer is not one of an Almanac service; look at the base URL.", {
    status,
    code: "UNREADABLE",
    requestId: headers.get("x-request-id") ?? undefined,
  });
}

/** Reads the x-ratelimit headers; undefined unless all are present. */
export function rateOf(headers: Headers): Rate | undefined {
  const of = (name: string): number => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  const rate = { limit: of("limit"), burst: of("burst"), remaining: of("remaining"), resetSeconds: of("reset") };
  return Object.values(rate).some(Number.isNaN) ? undefined : rate;
}
