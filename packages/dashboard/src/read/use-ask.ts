import { type Answer, type AskOptions, type Params, AlmanacError } from "@almanac/client";
import { useCallback } from "react";
import { useDatasetClient } from "../api/console-client.ts";
import { ConsoleProblem } from "../api/console-problem.ts";
import { useDatasets } from "../api/datasets.ts";
import type { Dataset } from "../explore/dataset.ts";

/** Converts the client's error to the dashboard's, so that pages handle both alike and a lost session is noticed. */
function toProblem(error: unknown): unknown {
  if (!(error instanceof AlmanacError)) return error;
  const { status, code, message, details, requestId, retryAfterSeconds } = error;
  return new ConsoleProblem({ status, code, message, details, requestId, retryAfterSeconds });
}

type Ask = {
  /** Requests one page; throws a ConsoleProblem. A dataset outside the plan is refused without a request. */
  readonly ask: <Row>(agentId: number, params: Params, options: AskOptions) => Promise<Answer<Row>>;
  /** The wanted number of rows, capped to the page size of the account's plan. */
  readonly limitOf: (agentId: number, wanted: number) => number;
  /** The definitions are loaded, or failed to load. */
  readonly isReady: boolean;
};

const forbidden = ({ agent_id: agentId, title, plan }: Dataset): ConsoleProblem =>
  new ConsoleProblem({
    status: 403,
    code: "FORBIDDEN",
    message: `“${title}” (${agentId}) needs the plan ${plan}. An operator can change your account's plan.`,
  });

/** Queries datasets as the signed-in account. */
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
