import { describe, expect, it } from "vitest";
import { tables } from "../../src/catalogue.ts";
import { definePull, type Batch } from "../../src/definition/connector.ts";
import type { Coverage } from "../../src/definition/coverage.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { openGap } from "../../src/ingest/control/gap-record.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import type { Service } from "./service.ts";

const HOUR_MS = 3_600_000;

async function* nothing(): AsyncGenerator<Batch, void, void> {}

const stream = definePull({
  name: "everything",
  title: "Everything",
  venue: "polymarket",
  host: { name: "venue", setting: "URL", limits: {}, share: 1 },
  tables,
  everySeconds: 10,
  canBackfill: true,
  pull: nothing,
});

async function coverageOf(service: Service): Promise<Coverage> {
  const reply = await service.ask({ agent_id: 556, params: {}, pagination: { limit: 1 } });
  return ((await reply.json()) as { coverage: Coverage }).coverage;
}

export function promiseGaps(service: () => Service): void {
  describe("200: coverage", () => {
    it("reports a gap from when it opens until it is filled, and the reason if nothing can fill it", async () => {
      const { db } = service().records;
      const now = new Date();
      const [from, to] = [new Date(now.getTime() - HOUR_MS), new Date(now.getTime() - HOUR_MS / 2)];
      const state = { state: "caught_up", last_ok_at: now, updated_at: now };
      const since = new Date(0);
      await db
        .insertInto("streams")
        .values({ name: stream.name, reached: now, since, ...state })
        .execute();
      service().judgeBy(createCoverage({ connectors: [stream], derivations: [], db, clock: systemClock }));
      try {
        const id = await openGap(db, { stream: stream.name, from, to, reason: "a page was skipped" }, now);
        const named = { from: from.toISOString(), to: to.toISOString() };
        await expect
          .poll(() => coverageOf(service()))
          .toMatchObject({
            complete: false,
            gaps: [{ ...named, reason: "a page was skipped" }],
          });
        await db.updateTable("gaps").set({ unfillable: "the node has it not" }).where("id", "=", id).execute();
        await expect
          .poll(async () => (await coverageOf(service())).gaps)
          .toEqual([{ ...named, reason: "a page was skipped; cannot be filled: the node has it not" }]);
        await db.updateTable("gaps").set({ filled_at: now }).where("id", "=", id).execute();
        await expect.poll(async () => (await coverageOf(service())).gaps).toEqual([]);
      } finally {
        service().judgeBy(undefined);
        await db.deleteFrom("gaps").execute();
        await db.deleteFrom("streams").execute();
      }
    });
  });
}
