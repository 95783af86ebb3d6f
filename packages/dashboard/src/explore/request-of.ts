import type { Requested } from "./requested.ts";
import type { Dataset } from "./dataset.ts";
import { pageOf } from "./page-of.ts";
import { toParams } from "./to-params.ts";

/** A query as API clients send it. */
export type SentRequest = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly offset?: number;
};

/** The form's query, for snippets: malformed values are left for the service to reject. */
export function requestOf(dataset: Dataset, requested: Requested): SentRequest {
  const read = pageOf(dataset, requested);
  return { agentId: dataset.agent_id, params: toParams(dataset, requested), ...(read.ok ? read.page : {}) };
}

/** Request body for the endpoint. */
export function bodyOf({ agentId, params, limit, offset }: SentRequest): Record<string, unknown> {
  const pagination = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  return {
    agent_id: agentId,
    params,
    ...(Object.keys(pagination).length > 0 ? { pagination } : {}),
  };
}
