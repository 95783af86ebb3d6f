// The peer: a plain service with Fastify and PostgreSQL in its own process, configured by DATABASE_URL and PEER_KEY.
import { hash, randomUUID } from "node:crypto";
import fastify from "fastify";
import { ENDPOINT } from "../ask-question.ts";
import { openAnswers } from "./postgres-answers.ts";

type Body = {
  readonly agent_id: number;
  readonly params?: Readonly<Record<string, string>>;
  readonly pagination?: { readonly limit?: number; readonly offset?: number };
};

const schema = {
  body: {
    type: "object",
    required: ["agent_id"],
    properties: {
      agent_id: { type: "integer" },
      params: { type: "object", additionalProperties: { type: "string" } },
      pagination: {
        type: "object",
        properties: {
          limit: { type: "integer", minimum: 1, maximum: 10_000 },
          offset: { type: "integer", minimum: 0 },
        },
      },
    },
  },
};

const keys = new Set([hash("sha256", process.env["PEER_KEY"] ?? "")]);
const answers = openAnswers(process.env["DATABASE_URL"] ?? "");
const app = fastify({ logger: false });

app.addHook("onRequest", async (request, reply) => {
  const { authorization = "" } = request.headers;
  if (!authorization.startsWith("Bearer ") || !keys.has(hash("sha256", authorization.slice(7)))) {
    return reply.code(401).send({ error: { code: "unauthorized" } });
  }
});

app.post<{ Body: Body }>(ENDPOINT, { schema }, async ({ body }, reply) => {
  const { agent_id, params = {} } = body;
  const { limit = 50, offset = 0 } = body.pagination ?? {};
  const answer = answers.get(agent_id);
  if (!answer) return reply.code(404).send({ error: { code: "not_found" } });
  const rows = await answer(params, { limit, offset });
  const has_more = rows.length > limit;
  const results = has_more ? rows.slice(0, limit) : rows;
  const next_cursor = has_more ? Buffer.from(`${agent_id}.${offset + limit}`).toString("base64url") : null;
  const request_id = `req_${randomUUID()}`;
  reply.header("x-request-id", request_id);
  return {
    data: { results },
    pagination: { limit, offset, has_more, next_cursor },
    params,
    coverage: { complete: true, from: null, to: null, gaps: [] },
    timestamp: new Date().toISOString(),
    request_id,
  };
});

const base_url = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ base_url })}\n`);
