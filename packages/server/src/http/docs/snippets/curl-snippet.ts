import { bodyOf, ENDPOINT_PATH, type Asked } from "./snippet.ts";

/** The question for a shell. */
export function curlSnippet(asked: Asked, publicUrl: string): string {
  const body = JSON.stringify(bodyOf(asked)).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s ${publicUrl}${ENDPOINT_PATH} \\`,
    '  -H "Authorization: Bearer $ALMANAC_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join("\n");
}
