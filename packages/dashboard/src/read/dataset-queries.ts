import { type Answer, type AskOptions, type Params, AlmanacError } from "@almanac/client";
import { useCallback } from "react";
import { useDatasetClient } from "../api/console-client.ts";
import { ConsoleProblem } from "../api/console-problem.ts";
import { useDatasets } from "../api/datasets.ts";
import type { Dataset } from "../explore/dataset.ts";
import {
  keepPreviousData,
  useQuery,
  type UseQueryResult,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";

/** Converts the client's error to the dashboard's, so that pages handle both alike. */
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
  /** Whether the plan includes the dataset, as the definitions say; undefined until they are loaded. */
  readonly mayRead: (agentId: number) => boolean | undefined;
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
  const mayRead = useCallback((agentId: number) => data?.find((one) => one.agent_id === agentId)?.may_read, [data]);
  return { ask, limitOf, mayRead, isReady: !isPending };
}

type How = {
  /** Rows wanted; fewer if the account's plan has smaller pages. */
  readonly limit: number;
  /** False: no request is sent yet. */
  readonly isOn?: boolean;
  /** Polling interval in milliseconds, while the page is visible. */
  readonly everyMs?: number;
  /** Keeps the previous rows until the next response arrives. */
  readonly keepsLast?: boolean;
};

/** One page of a dataset for display: rows, coverage, and whether it is loading or failed. */
export function useRows<Row>(agentId: number, params: Params, how: How): UseQueryResult<Answer<Row>> {
  const { ask, limitOf, mayRead, isReady } = useAsk();
  const { isOn = true, everyMs, keepsLast = true } = how;
  const limit = limitOf(agentId, how.limit);
  return useQuery({
    // A dataset that the plan refused is asked again once the plan includes it.
    queryKey: ["ask", agentId, params, limit, mayRead(agentId)],
    queryFn: ({ signal }) => ask<Row>(agentId, params, { limit, signal }),
    enabled: isOn && isReady,
    retry: false,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Pages of one walk, requested as the user continues; `maxPages` bounds how many are kept. */
export function usePages<Row>(
  agentId: number,
  params: Params,
  how: { readonly limit: number; readonly maxPages: number },
): UseInfiniteQueryResult<InfiniteData<Answer<Row>>> {
  const { ask, limitOf, mayRead, isReady } = useAsk();
  const limit = limitOf(agentId, how.limit);
  return useInfiniteQuery({
    queryKey: ["pages", agentId, params, limit, mayRead(agentId)],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      ask<Row>(agentId, params, { limit, signal, ...(pageParam === "" ? {} : { cursor: pageParam }) }),
    getNextPageParam: (last, all) =>
      last.pagination.hasMore && all.length < how.maxPages ? last.pagination.nextCursor : null,
    enabled: isReady,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether the plan does not include the dataset. Other refusals have another code, or say why in their details. */
export const isPlanRefusal = (error: unknown): error is ConsoleProblem =>
  error instanceof ConsoleProblem && error.code === "FORBIDDEN" && error.details.length === 0;
