import type { FastifyInstance } from "fastify";
import type { Recording } from "./recording.ts";

/** Makes an app answer with recordings where one matches, before its own routes: call it before they are mounted. */
export function mountRecordings(app: FastifyInstance, recordings: readonly Recording[]): void {
  if (recordings.length === 0) return;
  app.addHook("preHandler", async (request, reply) => {
    const url = new URL(request.url, "http://recordings.invalid");
    const asked = { method: request.method, path: url.pathname, query: url.searchParams, body: request.body };
    for (const recording of recordings) {
      const answer = await recording.answer(asked);
      if (answer)
        return reply
          .code(answer.status ?? 200)
          .header("x-recording", recording.name)
          .send(answer.body);
    }
    return undefined;
  });
}
