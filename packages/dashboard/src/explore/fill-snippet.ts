import { bodyOf, type AskedRequest } from "./request-of.ts";

/** Texts of a question for programs, as GET /api/console/datasets tells them; {{name}} stands for a part of it. */
export type Snippets = Readonly<Record<"curl" | "typescript" | "python", string>>;

/** The key is read from ALMANAC_API_KEY, whatever the language. */
export function fillSnippet(snippet: string, baseUrl: string, request: AskedRequest): string {
  const body = bodyOf(request);
  const parts: Readonly<Record<string, string>> = {
    base_url: baseUrl,
    body: JSON.stringify(body, null, 4),
    shell_body: JSON.stringify(body).replaceAll("'", String.raw`'\''`),
  };
  return snippet.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? "");
}
