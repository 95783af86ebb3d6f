import { afterAll, beforeAll, expect, it } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { openStage, type Stage } from "./open-stage.ts";
import { runFuzz } from "./run-fuzz.ts";

/** Each sixteenth request has a hostile value; the longer run covers all hostile values. */
const REQUESTS = thoroughly(500_000, 30_000);
const MAX_MS = thoroughly(5_400_000, 900_000);
const SEED = 20_261_120;
/** A busy machine may give a test a twentieth of a core; `npm run fuzz` requires a second. */
const READY_MS = 15_000;
const GROWTH_MIB = 64;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close(), 30_000);

it(
  `answers any input as documented, ${REQUESTS} times (seed ${SEED})`,
  async () => {
    const report = await runFuzz(stage, { seed: SEED, requests: REQUESTS });
    const { problems, changed, ...figures } = report;
    process.stderr.write(`fuzz ${JSON.stringify(figures)}\n`);
    expect(problems).toEqual([]);
    expect(changed).toEqual([]);
    expect(figures.sent).toBe(REQUESTS);
    for (const [status, part] of [
      ["200", 20],
      ["400", 10],
      ["401", 50],
      ["404", 100],
      ["405", 100],
    ] as const)
      expect(figures.byStatus[status], status).toBeGreaterThan(REQUESTS / part);
    expect(figures.limited).toBeLessThan(REQUESTS / 100);
    expect(figures.slowestReadyMilliseconds).toBeLessThan(READY_MS);
    const [early, , late] = figures.memory.map(({ heapMiB }) => heapMiB);
    expect(Number(late) - Number(early)).toBeLessThan(GROWTH_MIB);
    expect(stage.service.lines.filter((line) => line["level"] === 50)).toEqual([]);
    expect((await stage.service.ask({ agent_id: 574 })).status).toBe(200);
  },
  MAX_MS,
);
