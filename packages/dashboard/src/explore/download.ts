import type { Client, DownloadFormat } from "@almanac/client";
import type { SentRequest } from "./request.ts";

export const FORMATS = ["csv", "ndjson", "parquet", "arrow", "json"] as const;
export type Format = (typeof FORMATS)[number];

type MadeFile = { readonly body: Blob; readonly isCut: boolean; readonly isComplete: boolean };

/** A page as a file of the given format. */
export async function fileOf(client: Client, request: SentRequest, format: Format): Promise<MadeFile> {
  const { agentId, params, limit, offset } = request;
  const page = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  if (format === "json") {
    const { results, pagination, coverage } = await client.ask(agentId, params, page);
    const body = new Blob([JSON.stringify(results)], { type: "application/json" });
    return { body, isCut: pagination.hasMore, isComplete: coverage.complete };
  }
  // User-written text may be interpreted as a formula by the program that opens the file.
  const how = { ...page, format: format satisfies DownloadFormat, ...(format === "csv" ? { csvSafe: true } : {}) };
  const document = await client.download(agentId, params, how);
  return { body: document.body, isCut: document.hasMore, isComplete: document.isComplete };
}

/** Facts that a downloaded file does not show: that more rows follow, and that rows may be missing. */
export function downloadNote(
  { isCut, isComplete }: { readonly isCut: boolean; readonly isComplete: boolean },
  limit: number,
): string {
  return [
    ...(isCut ? [`The file has the rows of one page (limit ${limit}).`] : []),
    ...(isComplete ? [] : ["It is incomplete: rows that exist upstream may be missing."]),
  ].join(" ");
}
