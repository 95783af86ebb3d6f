import { type Answer, type AskOptions, type Params, AlmanacError } from "@almanac/client";
import { useCallback } from "react";
import { useDatasetClient } from "../api/console-client.ts";
import { ConsoleProblem } from "../api/console-problem.ts";
import { useDatasets } from "../api/datasets.ts";
import type { Dataset } from "../explore/dataset.ts";

/** The client's error as the dashboard's, so that a page tells both alike and a lost session is noticed. */
function toProblem(error: unknown): unknown {
  if (!(error instanceof AlmanacError)) return error;
  const { status, code, message, details, requestId, retryAfterSeconds } = error;
  return new ConsoleProblem({ status, code, message, details, requestId, retryAfterSeconds });
}

type Ask = {
  /** One page; throws a ConsoleProblem. What the plan does not include is not even asked for. */
  readonly ask: <Row>(agentId: number, params: Params, options: AskOptions) => Promise<Answer<Row>>;
  /** So many rows as are wanted, or as the account's plan gives in one page. */
  readonly limitOf: (agentId: number, wanted: number) => number;
  /** The definitions are there, or cannot be had. */
  readonly isReady: boolean;
};

const forbidden = ({ agent_id: agentId, title, plan }: Dataset): ConsoleProblem =>
  new ConsoleProblem({
    status: 403,
    code: "FORBIDDEN",
    message: `“${title}” (${agentId}) comes with the plan ${plan}. An operator can change your account's plan.`,
  });

/** Asks datasets as the signed-in account may. */
export function useAsk(): Ask {
  const client = useDatasetClient();
  const { data, isPending } = useDatasets();
  const ask = useCallback(
    async <Row>(agentId: number, params: Params, options: AskOptions): Promise<Answer<Row>> => {
      const dataset = data?.find((one) => one.agent_id === agentId);
      if (dataset?.may_read === false) throw forbidden(dataset);
      try {
        return await client.ask<Row>(agentId, params, options);
      } catch (error) {
        throw toProblem(error);
      }
    },
    [client, data],
  );
  const limitOf = useCallback(
    (agentId: number, wanted: number) =>
      Math.min(wanted, data?.find((one) => one.agent_id === agentId)?.limit.max ?? wanted),
    [data],
  );
  return { ask, limitOf, isReady: !isPending };
}
