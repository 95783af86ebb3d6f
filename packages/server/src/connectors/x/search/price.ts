import type { Price } from "../../../definition/connector.ts";

/** Of a post read, in millionths of a dollar. */
export const POST_MICRO = 5000;

/** A search is billed by the posts it gives. X forgets to bill one again on the same day: here each counts. */
export function priceOf(mostPosts: number): Price {
  return { mostMicro: mostPosts * POST_MICRO, billedMicro };
}

function billedMicro(answer: unknown): number | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { data, meta } = answer as { readonly data?: unknown; readonly meta?: { readonly result_count?: unknown } };
  if (Array.isArray(data)) return data.length * POST_MICRO;
  return meta?.result_count === 0 ? 0 : undefined;
}
