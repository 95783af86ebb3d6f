import type { AskedRequest } from "../request-of.ts";

/** The request for Node and @almanac/client; the key comes from ALMANAC_API_KEY. */
export function typescriptSnippet(baseUrl: string, { agentId, params, limit, offset }: AskedRequest): string {
  const page = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  const hasPage = Object.keys(page).length > 0;
  const inner = Object.entries(page).map(([name, value]) => `${name}: ${value}`);
  return `import { createClient } from "@almanac/client";

const almanac = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  key: process.env.ALMANAC_API_KEY ?? "",
});

const params = ${JSON.stringify(params, null, 2)};
const answer = await almanac.ask(${agentId}, params${hasPage ? `, { ${inner.join(", ")} }` : ""});

console.log(JSON.stringify(answer.results, null, 2));
if (!answer.coverage.complete) console.error("rows may be missing:", answer.coverage.reasons);
if (answer.pagination.hasMore) console.error("there is more: ask again with cursor", answer.pagination.nextCursor);
`;
}
