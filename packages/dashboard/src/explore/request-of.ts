import type { Asked } from "./asked.ts";
import type { Dataset } from "./dataset.ts";
import { pageOf } from "./page-of.ts";
import { toParams } from "./to-params.ts";

/** A question as programs ask it. */
export type AskedRequest = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly offset?: number;
};

/** The question that the form says, for snippets: what is not well-formed yet is left to the service. */
export function requestOf(dataset: Dataset, asked: Asked): AskedRequest {
  const read = pageOf(dataset, asked);
  return { agentId: dataset.agent_id, params: toParams(dataset, asked), ...(read.ok ? read.page : {}) };
}

/** The endpoint's body. */
export function bodyOf({ agentId, params, limit, offset }: AskedRequest): Record<string, unknown> {
  const pagination = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
  return {
    agent_id: agentId,
    params,
    ...(Object.keys(pagination).length > 0 ? { pagination } : {}),
  };
}
