import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultKinds } from "../../../exchange/src/faults/fault-plan.ts";
import { drawRun } from "../../../../scripts/campaign/draw-run.ts";
import { runApart } from "../../../../scripts/campaign/run-apart.ts";
import { failureLines, runLine } from "../../../../scripts/campaign/run-result.ts";
import { makeTemplate } from "../../../../scripts/campaign/template-folder.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";

// Chosen to meet every kind of fault, kill and source; `npm run campaign` runs two hundred.
const SEEDS = [1925, 1532, 2744, 452, 2689];
/** An ordinary run uses a simulation seed instead, see simulation.test.ts. */
const TAKEN = thoroughly(SEEDS, []);
const HALVES = [0, 1].map((half) => TAKEN.filter((_, place) => place % 2 === half)).filter(({ length }) => length > 0);

const folder = mkdtempSync(join(tmpdir(), "almanac-faults-"));
const template = join(folder, "template");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the campaign seeds of test:thorough cover every kind of fault, kill and source", () => {
  const plans = SEEDS.map((seed) => drawRun(seed));
  const met = new Set(plans.flatMap(({ faults }) => faults.faults.map(({ kind }) => kind)));
  expect([...met].toSorted()).toEqual(Object.keys(faultKinds).toSorted());
  expect(new Set(plans.flatMap(({ kills }) => kills.map(({ at }) => at))).size).toBe(2);
  expect(new Set(plans.map(({ source }) => source)).size).toBe(4);
});

/** Some minutes of a small world may have none. */
const RARE = new Set(["resolutions", "transfers"]);

// Two at a time: each has its own service and engine.
describe
  .runIf(TAKEN.length > 0)
  .concurrent("after faults and kills, stored rows match the truth or coverage admits the difference", () => {
    beforeAll(async () => {
      await layMigrated(template);
      await makeTemplate(template, join(folder, "template.log"));
    });
    test.each(HALVES.map((seeds) => ({ seeds })))("seeds $seeds", { timeout: 700_000 }, async ({ seeds }) => {
      for (const seed of seeds) {
        const result = await runApart(seed, template, join(folder, `seed-${seed}`));
        const said = [runLine(result), ...failureLines(result)].join("\n");
        expect(result.problems, said).toEqual([]);
        expect(result.streams.filter(({ undeclared }) => undeclared > 0).length, said).toBe(0);
        expect(result.streams.length, said).toBeGreaterThan(6);
        expect(
          Object.values(result.injected).some((times) => times > 0),
          said,
        ).toBe(true);
        for (const { stream, truth } of result.streams) {
          if (!RARE.has(stream)) expect(truth, stream).toBeGreaterThan(0);
        }
      }
    });
  });
