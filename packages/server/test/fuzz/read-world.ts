import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import type { FuzzDataset, FuzzRequest } from "./fuzz-request.ts";
import { requiredParams, sampleOf } from "./samples.ts";
import type { Send } from "./send.ts";

const CURSORS = 3;

/** Datasets in the generator's form, with a few cursors that the service returned. */
export async function datasetsOf(
  catalogue: readonly DatasetDefinition[],
  key: string,
  send: Send,
): Promise<FuzzDataset[]> {
  return await Promise.all(catalogue.map((dataset) => toMatter(dataset, key, send)));
}

async function toMatter(dataset: DatasetDefinition, key: string, send: Send): Promise<FuzzDataset> {
  const params = requiredParams(dataset);
  const cursors: { cursor: string; params: Record<string, string> }[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < CURSORS; page += 1) {
    const pagination = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
    const body = await readJson(send, {
      kind: "cursor",
      method: "POST",
      path: ENDPOINT,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ agent_id: dataset.agentId, params, pagination }),
    });
    cursor =
      (body as { pagination?: { next_cursor?: string | null } } | undefined)?.pagination?.next_cursor ?? undefined;
    if (cursor === undefined) break;
    cursors.push({ cursor, params });
  }
  const known = Object.entries(dataset.params).map(([name, param]) => ({
    name,
    required: name in params,
    sample: params[name] ?? sampleOf(name, param),
  }));
  return { agentId: dataset.agentId, params: known, maxLimit: dataset.limit.max, cursors };
}

/** Every path of a static document. */
export async function documentsOf(send: Send): Promise<string[]> {
  const request = { kind: "documents", method: "GET", path: "/docs/search.json", headers: {}, body: undefined };
  const pages = (await readJson(send, request)) as readonly { readonly path: string }[];
  const others = ["/", "/health", "/ready", "/openapi.json", "/docs/docs.css", "/docs/docs.js", "/docs/search.json"];
  return [...pages.map(({ path }) => path), ...others];
}

async function readJson(send: Send, request: FuzzRequest): Promise<unknown> {
  const answers = await send(request);
  const [answer] = typeof answers === "string" ? [] : answers;
  return answer === undefined ? undefined : JSON.parse(answer.body.toString());
}
