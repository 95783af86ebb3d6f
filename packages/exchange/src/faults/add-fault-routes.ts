import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { faultPlan } from "./fault-plan.ts";
import type { Faults } from "./faults.ts";

const added = z.object({ add: z.enum(["true", "false"]).default("false") });

/**
 * GET /faults: the plan and its counts. POST /faults: applies a plan, with ?add=true in addition to the current one.
 * DELETE /faults: ends all faults.
 */
export function addFaultRoutes(app: FastifyInstance, faults: Faults): void {
  app.get("/faults", () => faults.status());
  app.post("/faults", ({ body, query }, reply) => {
    const { add } = added.parse(query);
    const plan = faultPlan.parse(body ?? {});
    try {
      faults.set(plan, add === "true");
    } catch (error) {
      if (error instanceof RangeError) return reply.code(400).send({ error: error.message });
      throw error;
    }
    return faults.status();
  });
  app.delete("/faults", () => {
    const ended = faults.status();
    faults.clear();
    return ended;
  });
}
