import type { Asked } from "./snippet.ts";

/** The question by @almanac/client, which tries 429, 500 and 503 again. */
export function typescriptSnippet({ agentId, params, limit }: Asked, publicUrl: string): string {
  return [
    'import { createClient } from "@almanac/client";',
    "",
    `const almanac = createClient({ baseUrl: "${publicUrl}", key: process.env["ALMANAC_API_KEY"] ?? "" });`,
    `const answer = await almanac.ask(${agentId}, ${JSON.stringify(params, null, 2)}, { limit: ${limit} });`,
    "",
    "for (const row of answer.results) console.log(row);",
    "if (!answer.coverage.complete) console.warn(answer.coverage.reasons);",
  ].join("\n");
}
