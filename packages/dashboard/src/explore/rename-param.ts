import type { ErrorDetail } from "@almanac/client";

/** The name that an error suggests for an unknown parameter: "did you mean side?". */
export function suggestedName(detail: ErrorDetail): { readonly wrong: string; readonly right: string } | undefined {
  const wrong = /^params\.(.+)$/.exec(detail.path)?.[1];
  const right = /did you mean ([A-Za-z0-9_]+)\?/.exec(detail.problem)?.[1];
  return wrong === undefined || right === undefined ? undefined : { wrong, right };
}
