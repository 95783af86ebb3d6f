/** Address of a service and a key for it, as in a demo's JSON line. */
export type Service = { readonly base_url: string; readonly api_key: string };

export type Reported = {
  readonly data: { readonly results: readonly Readonly<Record<string, unknown>>[] };
  readonly coverage: { readonly complete: boolean; readonly reasons?: readonly string[] };
};

/** A page of a dataset. */
export const askService = (
  service: Service,
  agentId: number,
  params: Readonly<Record<string, string>>,
  limit: number,
): Promise<Reported> => askBody(service, { agent_id: agentId, params, pagination: { limit } });

/** Sends a request as any client does. Throws if the status is not 200. */
export async function askBody(
  { base_url: baseUrl, api_key: key }: Service,
  body: Readonly<{ agent_id: number; params?: object; pagination?: object }>,
): Promise<Reported> {
  const reply = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`agent_id ${body.agent_id} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Reported;
}
