import { readFileSync } from "node:fs";
import { join } from "node:path";

const textOf = (language: string): string =>
  readFileSync(join(import.meta.dirname, `${language}.txt`), "utf8").trimEnd();

/** Code that sends a query, by language; {{name}} marks a placeholder. The explorer receives them unchanged. */
export const SNIPPETS = {
  curl: textOf("curl"),
  typescript: textOf("typescript"),
  python: textOf("python"),
} as const;

/** The query that a snippet sends. */
type Requested = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit: number;
};

/** Fills in a snippet for a page; packages/dashboard/src/explore/request.ts does the same for a form. */
export function snippet(
  language: keyof typeof SNIPPETS,
  { agentId, params, limit }: Requested,
  publicUrl: string,
): string {
  const body = { agent_id: agentId, params, pagination: { limit } };
  const parts: Readonly<Record<string, string>> = {
    base_url: publicUrl,
    body: JSON.stringify(body, null, 4),
    shell_body: JSON.stringify(body).replaceAll("'", String.raw`'\''`),
  };
  return SNIPPETS[language].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? "");
}
