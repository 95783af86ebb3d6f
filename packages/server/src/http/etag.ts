import type { Answer } from "../query/answer.ts";

/**
 * The validator of an answer: weak, since request id and timestamp differ between equal answers. Completeness is part
 * of it, so that "not modified" never hides that a coverage gap was filled or opened.
 */
export function etagOf(answer: Pick<Answer, "etag" | "coverage">): string {
  const opaque = answer.etag.replace(/^W\//, "").replace(/^"|"$/g, "");
  return `W/"${opaque}${answer.coverage.complete ? "" : "-partial"}"`;
}

const MAX_TAGS = 100;

/** Whether an If-None-Match header (a list, weak or strong, or *) names the tag, by weak comparison. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",", MAX_TAGS).some((tag) => tag.trim().replace(/^W\//, "") === opaque);
}
