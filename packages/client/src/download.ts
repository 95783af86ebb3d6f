import type { Rate } from "./answer.ts";
import { rateOf, unreadable } from "./read-answer.ts";

export type DownloadFormat = "csv" | "ndjson" | "parquet" | "arrow";

export type DownloadOptions = {
  readonly format: DownloadFormat;
  /** CSV only: puts an apostrophe before each text that a spreadsheet would run as a formula. */
  readonly csvSafe?: boolean;
  readonly limit?: number;
  readonly offset?: number;
  readonly cursor?: string;
  readonly signal?: AbortSignal;
};

/** A page as a document: the body has the rows only, the metadata comes from headers. */
export type Download = {
  readonly body: Blob;
  readonly contentType: string;
  readonly isComplete: boolean;
  /** Why rows may be missing, as one text cut at 2,000 characters; null if there is no reason. */
  readonly coverageReasons: string | null;
  /** What was ignored or reinterpreted, as one text cut at 2,000 characters; null if nothing was. */
  readonly warnings: string | null;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly requestId: string | undefined;
  readonly rate: Rate | undefined;
};

/**
 * Reads a document. Throws AlmanacError (UNREADABLE) for a successful response that is not from an Almanac service.
 */
export async function readDownload(response: Response): Promise<Download> {
  const { headers } = response;
  if (!headers.has("x-almanac-coverage")) throw unreadable(response);
  return {
    body: await response.blob(),
    contentType: headers.get("content-type") ?? "application/octet-stream",
    isComplete: headers.get("x-almanac-coverage") === "complete",
    coverageReasons: headers.get("x-almanac-coverage-reasons"),
    warnings: headers.get("x-almanac-warnings"),
    hasMore: headers.get("x-almanac-has-more") === "true",
    nextCursor: headers.get("x-almanac-next-cursor"),
    requestId: headers.get("x-request-id") ?? undefined,
    rate: rateOf(headers),
  };
}
