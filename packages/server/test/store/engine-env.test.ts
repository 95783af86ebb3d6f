import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEngine } from "../../src/store/embedded/start-engine.ts";

test("starts in a folder whose name has special characters of XML, without a secret of the service in its environment", async () => {
  vi.stubEnv("X_BEARER_TOKEN", "a-token-of-the-service");
  const folder = mkdtempSync(join(tmpdir(), "engine-env-R&D<1>-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const engine = await startEngine(folder);
  try {
    const environment = readFileSync(`/proc/${engine.pid}/environ`, "utf8").split("\0");
    expect(environment).toContain(`PATH=${process.env["PATH"]}`);
    expect(environment.filter((each) => each.includes("X_BEARER_TOKEN") || each.includes("a-token"))).toEqual([]);
  } finally {
    await engine.stop();
  }
});
