import type { House } from "./open-house.ts";

export type AnsweredRow = Readonly<Record<string, unknown>>;

/** Every row a dataset answers to `params`, page by page with the answer's own cursor. */
export async function* answerAll(
  { query }: Pick<House, "query">,
  agentId: number,
  params: Readonly<Record<string, string>>,
  limit: number,
): AsyncGenerator<AnsweredRow, void, void> {
  let cursor: string | null = null;
  do {
    const pagination = cursor === null ? { limit } : { limit, cursor };
    const answer = await query.answer(agentId, { params, pagination });
    const rows = JSON.parse(answer.body.toString("utf8")) as AnsweredRow[];
    if (rows.length !== answer.rowCount)
      throw new Error(`${agentId} says ${answer.rowCount} rows, gave ${rows.length}`);
    if (answer.hasMore !== (answer.nextCursor !== null))
      throw new Error(`${agentId}: has_more and next_cursor disagree`);
    yield* rows;
    cursor = answer.nextCursor;
  } while (cursor !== null);
}
