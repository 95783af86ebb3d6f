import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examplePlan, faultPlan, faultKinds } from "../../src/faults/fault-plan.ts";
import { get, type OpenStorm, openStorm } from "./open-storm.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
let folder: string;
let storm: OpenStorm;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "exchange-faults-"));
  storm = await openStorm();
});
afterAll(async () => {
  await storm.exchange.close();
  await rm(folder, { recursive: true });
});

async function run(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (output.out += String(chunk)));
  child.stderr.on("data", (chunk) => (output.error += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { ...output, code };
}

async function planFile(name: string, plan: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(plan));
  return file;
}

test("the faults command lists every kind of fault and prints a valid example plan", async () => {
  const { out, code } = await run("faults");
  expect(code).toBe(0);
  for (const kind of Object.keys(faultKinds)) expect(out).toMatch(new RegExp(`^${kind} `, "m"));
  expect(faultPlan.parse(JSON.parse(out.slice(out.indexOf("\n{"))))).toEqual(faultPlan.parse(examplePlan));
});

test("the faults command sets, reads and clears the faults of a running exchange", async () => {
  const { control_url, gamma_url } = storm.exchange.urls;
  const file = await planFile("fail.json", { faults: [{ kind: "fail", endpoint: "gamma", statuses: [500] }] });
  expect((await run("faults", "--control", control_url, "--set", file)).code).toBe(0);
  expect((await get(`${gamma_url}/tags`)).status).toBe(500);
  const { out } = await run("faults", "--control", control_url);
  expect(JSON.parse(out)).toMatchObject({ injected: { fail: { gamma: 1 } } });
  expect((await run("faults", "--control", control_url, "--clear")).code).toBe(0);
  expect((await get(`${gamma_url}/tags`)).status).toBe(200);
});

test("serve rejects an invalid fault plan before it starts, and faults --set requires --control", async () => {
  const file = await planFile("bad.json", { faults: [{ kind: "cut", endpoint: "gamma" }] });
  const { error, code } = await run("serve", "--faults", file);
  expect(code).toBe(1);
  expect(error).toContain("bad.json is not a fault plan");
  expect(error).toContain("cut does not apply to gamma");
  expect((await run("faults", "--set", file)).error).toContain("need --control URL");
});

test("serve applies the fault plan of the file given with --faults", async () => {
  const file = await planFile("gone.json", { faults: [{ kind: "garbage", endpoint: "kalshi" }] });
  const child = spawn(process.execPath, [MAIN, "serve", "--json", "--days", "0.05", "--faults", file]);
  const urls = await new Promise<Record<string, string>>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes("\n")) resolve(JSON.parse(text) as Record<string, string>);
    });
  });
  expect((await get(`${urls["kalshi_url"]}/markets`)).text).toContain("Just a moment");
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
});
