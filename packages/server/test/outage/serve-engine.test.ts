import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { enginePid } from "./engine-killer.ts";
import { startService } from "./service-process.ts";

let service: Awaited<ReturnType<typeof startService>> | undefined;
afterEach(() => service?.close());

test("while the engine restarts, reads return 503 and /ready says why; exits with 1 if the restart fails", async () => {
  const running = (service = await startService({ ALMANAC_ROLE: "api" }));
  const columns = join(running.folder, "columns", "columns");
  const question = { agent_id: 574, pagination: { limit: 5 } };
  const statusOf = async (): Promise<number> => (await running.ask(question)).status;
  expect(await statusOf()).toBe(200);

  blockAndKill(running.folder, columns);
  await expect.poll(statusOf, { interval: 20 }).toBe(503);
  const { retryAfter, body } = await running.ask({ ...question, pagination: { limit: 6 } });
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  expect(body).toMatchObject({ error: { code: "UNAVAILABLE" } });
  // A read may hit the dead engine before its end is noticed.
  await expect
    .poll(() => running.ready(), { interval: 20 })
    .toEqual({
      status: 503,
      reasons: [expect.stringMatching(/^the column engine ended and is restarting \(try \d of 5\)$/)],
    });

  rmSync(columns);
  renameSync(`${columns}.kept`, columns);
  await expect.poll(statusOf).toBe(200);
  await expect.poll(() => running.ready()).toEqual({ status: 200, reasons: [] });

  blockAndKill(running.folder, columns);
  expect(await running.ended).toBe(1);
  expect(running.said()).toContain("the column engine ended and could not be restarted");
});

/** Kills the engine and puts a file in place of its folder. */
function blockAndKill(folder: string, columns: string): void {
  renameSync(columns, `${columns}.kept`);
  writeFileSync(columns, "");
  process.kill(enginePid(join(folder, "columns")), "SIGKILL");
}
