/** A question that a snippet asks. */
export type Asked = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit: number;
};

export const ENDPOINT_PATH = "/api/v2/semantic/retrieve/parameterized";

export const bodyOf = ({ agentId, params, limit }: Asked) => ({
  agent_id: agentId,
  params,
  pagination: { limit },
});
