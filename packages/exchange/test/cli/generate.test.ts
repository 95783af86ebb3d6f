import { spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "exchange-generate-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, "generate", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (output.out += String(chunk)));
  child.stderr.on("data", (chunk) => (output.error += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { ...output, code };
}

describe("exchange generate", () => {
  it("writes the world and prints its figures as one line of JSON", async () => {
    const { code, out, error } = await run("--fills", "3000", "--out", folder, "--seed", "5", "--json");
    expect([code, error]).toEqual([0, ""]);
    const report = JSON.parse(out) as { seed: number; fills: number };
    expect(report.seed).toBe(5);
    expect(report.fills).toBeGreaterThanOrEqual(3000);
    expect(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"))).toEqual(report);
    expect(await readdir(folder)).toContain("truth");
  });

  it("rejects a --fills value that is not a number", async () => {
    const { code, out, error } = await run("--fills", "many", "--out", folder);
    expect([code, out]).toEqual([1, ""]);
    expect(error).toBe('exchange: --fills must be a number from 1 to 1000000000, got "many"\n');
  });
});
