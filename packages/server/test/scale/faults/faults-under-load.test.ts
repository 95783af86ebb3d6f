import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { thoroughly } from "../../../../../scripts/vitest/thoroughly.ts";
import { FAULTS } from "../../../../../scripts/scale/faults.ts";
import type { Fault } from "../../../../../scripts/scale/fault.ts";
import { runFaults } from "../../../../../scripts/scale/run-faults.ts";
import { redisAbsence } from "../../access/start-redis.ts";
import { findPostgres } from "../../records/start-postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-scale-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const postgres = findPostgres();
const absence = "reason" in postgres ? `left out: ${postgres.reason}` : redisAbsence();

/** Several at once, and shorter than in `npm run scale`, which does each by itself. */
function together(name: string, faults: readonly string[]): Fault {
  const found = FAULTS.filter((fault) => faults.includes(fault.name));
  const [first] = found;
  if (first === undefined || found.length !== faults.length) throw new Error(`no such faults: ${faults.join(", ")}`);
  return {
    ...first,
    name,
    about: found.map(({ about }) => about).join("; "),
    acts: found.flatMap(({ acts }) => acts),
    seconds: 4,
  };
}

const WHOLE = [
  together("all but one api process and ClickHouse at once", ["kill-api", "kill-records", "kill-redis", "kill-ingest"]),
  together("what gathers and ClickHouse at once", ["kill-columns", "kill-ingest"]),
];
const DONE = thoroughly(WHOLE, WHOLE.slice(0, 1));

test.skipIf(absence !== undefined)(
  `under load, parts are killed: no row is lost or doubled, nothing is missing without a word, all recovers${absence === undefined ? "" : ` (${absence})`}`,
  async () => {
    const said: string[] = [];
    const { results, leftOut } = await runFaults({
      topology: {
        shards: 1,
        replicas: 1,
        apis: 2,
        ingests: 1,
        derives: 0,
        leaseSeconds: 15,
        diskMegabytes: 0,
        seed: 1,
        activity: 2,
        minutes: 10,
        events: 3,
        wallets: 30,
        kalshiMarkets: 4,
        folder,
      },
      faults: DONE,
      clients: 2,
      thinkMs: 100,
      // Long waits: they end when all is there, and a busy machine takes its time.
      seconds: { warm: 1, after: 0, recovery: 120, settle: 240 },
      say: (text) => said.push(text),
      signal: new AbortController().signal,
    });
    const text = said.join("\n");
    expect(leftOut).toEqual({});
    for (const { lost, doubled, undeclared, holes, waiting, recoverySeconds, during } of results) {
      expect({ lost, doubled, undeclared, silent: holes.silent, waiting }, text).toEqual({
        lost: 0,
        doubled: 0,
        undeclared: 0,
        silent: [],
        waiting: [],
      });
      expect(recoverySeconds, text).not.toBeNull();
      expect(during.asked, text).toBeGreaterThan(0);
      expect(holes.right, text).toBeGreaterThan(0);
    }
    const [survived, away] = results;
    // What fails at one process is answered by the other; without its only ClickHouse nobody answers, and says so.
    expect(Object.keys(survived?.during.firstFailed ?? {}), text).toContain("reset");
    expect(survived?.during.failed, text).toEqual({});
    if (away !== undefined) expect(Object.keys(away.during.failed), text).toContain("503");
  },
  900_000,
);
