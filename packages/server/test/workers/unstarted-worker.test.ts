import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import type { Opening } from "../../src/main/workers/protocol.ts";
import { startWorkers, type Workers } from "../../src/main/workers/start-workers.ts";

const { execPath } = process;
let workers: Workers | undefined;
afterEach(async () => {
  process.execPath = execPath;
  await workers?.close();
});

test("workers whose processes cannot be started fail, are tried again, and can be closed", async () => {
  const counted = { running: [] as number[], ended: 0 };
  // Without an executable the system starts none, as when it has no more processes or file descriptors.
  process.execPath = "/no/such/executable";
  workers = startWorkers({
    count: 2,
    logTo: 1,
    opening: () => ({}) as Opening,
    answer: () => expect.fail("nobody asks"),
    reported: () => undefined,
    metrics: {
      running: (count) => void counted.running.push(count),
      ended: () => void (counted.ended += 1),
    },
    log: pino({ level: "silent" }),
  });
  await expect(workers.listening).rejects.toThrow("spawn /no/such/executable ENOENT");
  await expect.poll(() => counted.ended).toBeGreaterThan(2);
  expect(counted.running.at(-1)).toBe(0);
  await workers.close();
});
