import type { Rate } from "./answer.ts";
import { rateOf } from "./read-answer.ts";

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
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly requestId: string | undefined;
  readonly rate: Rate | undefined;
};

export async function readDownload(response: Response): Promise<Download> {
  const { headers } = response;
  return {
    body: await response.blob(),
    contentType: headers.get("content-type") ?? "application/octet-stream",
    isComplete: headers.get("x-almanac-coverage") === "complete",
    hasMore: headers.get("x-almanac-has-more") === "true",
    nextCursor: headers.get("x-almanac-next-cursor"),
    requestId: headers.get("x-request-id") ?? undefined,
    rate: rateOf(headers),
  };
}
