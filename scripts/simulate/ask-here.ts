import type { Ask as AskHere } from "../../packages/server/src/query/answer.ts";
import type { Ask } from "../verify/ask.ts";
import type { Row } from "../verify/tally.ts";

const ANYONE = { mayRead: () => true, maxPage: 10_000, mode: "strict" } as const;

/** Runs a comparison's queries directly on the query path, without HTTP, key or socket. */
export const askerOf =
  (ask: AskHere): Ask =>
  async (agent_id, params, pagination) => {
    const answer = await ask({ agent_id, params, pagination }, ANYONE, "raw");
    return {
      rows: JSON.parse(answer.body.toString("utf8")) as Row[],
      hasMore: answer.hasMore,
      cursor: answer.nextCursor,
      coverage: answer.coverage,
    };
  };
