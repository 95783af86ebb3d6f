import type { FastifyInstance } from "fastify";
import { CallerError } from "../definition/errors.ts";
import { errorBody } from "./error-answers.ts";
import type { Readiness, ServerOptions } from "./server-options.ts";
import { inTime } from "../definition/pacing.ts";

const READINESS_TIMEOUT_MS = 5000;
/** Anyone may call as often as they like: a result is shared for this long. */
const LIFE_MS = 1000;
const JSON_TYPE = "application/json; charset=utf-8";

/** GET /health reports that the process is alive; GET /ready whether it can answer, with the reasons if not. */
export function addHealthRoutes(app: FastifyInstance, options: ServerOptions, isStopping: () => boolean): void {
  const shared = lookSeldom(options);
  app.get("/health", (_request, reply) =>
    reply.header("content-type", JSON_TYPE).header("cache-control", "no-store").send('{"status":"ok"}'),
  );
  app.get("/ready", async (request, reply) => {
    const { ready, reasons } = isStopping() ? { ready: false, reasons: ["The service is stopping."] } : await shared();
    reply.header("content-type", JSON_TYPE).header("cache-control", "no-store");
    if (ready) return reply.send(JSON.stringify({ ready, reasons }));
    const failure = new CallerError("UNAVAILABLE", reasons.join(" ") || "The service cannot answer now.");
    const body = { ready, reasons, ...JSON.parse(errorBody(failure, request.id, options.publicUrl).toString()) };
    return reply.code(503).header("retry-after", "1").send(JSON.stringify(body));
  });
}

function lookSeldom(options: ServerOptions): () => Promise<Readiness> {
  let kept: { readonly found: Promise<Readiness>; readonly at: number } | undefined;
  return () => {
    const at = options.clock();
    if (kept === undefined || at < kept.at || at >= kept.at + LIFE_MS) kept = { found: look(options), at };
    return kept.found;
  };
}

async function look({ readiness, log }: ServerOptions): Promise<Readiness> {
  try {
    return await inTime(readiness(), READINESS_TIMEOUT_MS, () => new Error("readiness took too long"));
  } catch (cause) {
    log.error({ err: cause }, "readiness check failed");
    return { ready: false, reasons: ["The readiness check failed."] };
  }
}
