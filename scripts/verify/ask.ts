import type { Row } from "./tally.ts";

export type Page = {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly cursor: string | null;
  readonly coverage: { readonly complete: boolean; readonly reasons?: readonly string[] };
};

type Wire = {
  data: { results: Row[] };
  pagination: { has_more: boolean; next_cursor: string | null };
  coverage: Page["coverage"];
};

export type Place = { readonly limit: number; readonly offset?: number; readonly cursor?: string };

/** Sends a query as any client does: over HTTP with a key. Throws if the status is not 200. */
export type Ask = (agentId: number, params: Readonly<Record<string, string>>, pagination: Place) => Promise<Page>;

export function asker(baseUrl: string, key: string): Ask {
  return async (agent_id, params, pagination) => {
    const response = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ agent_id, params, pagination }),
    });
    if (!response.ok) throw new Error(`${agent_id} answered ${response.status}: ${await response.text()}`);
    const { data, pagination: page, coverage } = (await response.json()) as Wire;
    return { rows: data.results, hasMore: page.has_more, cursor: page.next_cursor, coverage };
  };
}

type Question = { readonly agentId: number; readonly params: Readonly<Record<string, string>>; readonly limit: number };

/** Yields every row of a query, page by page by cursor. */
export async function* byCursor(ask: Ask, { agentId, params, limit }: Question): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  for (;;) {
    const page = await ask(agentId, params, cursor === undefined ? { limit } : { limit, cursor });
    yield page.rows;
    if (page.hasMore !== (page.cursor !== null)) throw new Error(`${agentId}: has_more and next_cursor disagree`);
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}

/** Yields every row of a query, page by page by offset. */
export async function* byOffset(ask: Ask, { agentId, params, limit }: Question): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ; offset += limit) {
    const page = await ask(agentId, params, { limit, offset });
    yield page.rows;
    if (page.hasMore && page.rows.length < limit) throw new Error(`${agentId}: a short page says that there is more`);
    if (!page.hasMore) return;
  }
}
