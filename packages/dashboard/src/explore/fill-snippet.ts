import { bodyOf, type SentRequest } from "./request-of.ts";

/** Code snippets of a query from GET /api/console/datasets; {{name}} is a placeholder. */
export type Snippets = Readonly<Record<"curl" | "typescript" | "python", string>>;

/** Fills in a snippet. The key is read from ALMANAC_API_KEY in every language. */
export function fillSnippet(snippet: string, baseUrl: string, request: SentRequest): string {
  const body = bodyOf(request);
  const parts: Readonly<Record<string, string>> = {
    base_url: baseUrl,
    body: JSON.stringify(body, null, 4),
    shell_body: JSON.stringify(body).replaceAll("'", String.raw`'\''`),
  };
  return snippet.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? "");
}
