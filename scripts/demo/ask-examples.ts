import { datasets } from "../../packages/server/src/catalogue.ts";
import { examplesOf } from "../../packages/server/src/definition/example-values.ts";
import { findExampleValues } from "../../packages/server/src/query/find-example-values.ts";

/** Address of a service and a key for it, as in a demo's JSON line. */
export type Door = { readonly base_url: string; readonly api_key: string };

export type Reported = {
  readonly data: { readonly results: readonly Readonly<Record<string, unknown>>[] };
  readonly coverage: { readonly complete: boolean; readonly reasons?: readonly string[] };
};
export type RequestedExample = { readonly name: string; readonly reported: Reported };

const ROWS = 10;

/** A page of a dataset. */
export const askDoor = (
  door: Door,
  agentId: number,
  params: Readonly<Record<string, string>>,
  limit: number,
): Promise<Reported> => askBody(door, { agent_id: agentId, params, pagination: { limit } });

/** Sends a request as any client does. Throws if the status is not 200. */
export async function askBody(
  { base_url: baseUrl, api_key: key }: Door,
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

/** Every example of every dataset, filled in with ids that the service has, and its response. */
export async function askExamples(door: Door): Promise<readonly RequestedExample[]> {
  const values = await findExampleValues(
    async (...requested) => (await askDoor(door, ...requested)).data.results,
    Date.now(),
  );
  const requested: RequestedExample[] = [];
  for (const dataset of datasets)
    for (const { title, params } of examplesOf(dataset, values))
      requested.push({
        name: `${dataset.name}: ${title}`,
        reported: await askDoor(door, dataset.agentId, params, ROWS),
      });
  return requested;
}

/** The names of those that returned no row. */
export const emptyOf = (all: readonly RequestedExample[]): string[] =>
  all.filter(({ reported }) => reported.data.results.length === 0).map(({ name }) => name);
