import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const output = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (output.out += String(chunk)));
  child.stderr.on("data", (chunk) => (output.error += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, output, ended };
}

async function serve(...args: string[]) {
  const running = start("serve", "--json", "--days", "0.1", ...args);
  await expect.poll(() => running.output.out).toContain("\n");
  return { ...running, urls: JSON.parse(running.output.out) as Record<string, string> };
}

const getJson = async (url: string | undefined) => (await (await fetch(url ?? "")).json()) as Record<string, unknown>;

describe("exchange serve", () => {
  it("prints its URLs as one line of JSON once every endpoint listens, and exits with 0 on SIGTERM", async () => {
    const { child, output, ended, urls } = await serve("--speed", "0", "--seed", "3");
    expect(output.out.trim().split("\n")).toHaveLength(1);
    expect(Object.keys(urls)).toEqual([
      "gamma_url",
      "clob_url",
      "data_url",
      "ws_url",
      "rtds_url",
      "rpc_url",
      "kalshi_url",
      "kalshi_ws_url",
      "kalshi_key_id",
      "kalshi_private_key_pem",
      "hn_url",
      "gdelt_url",
      "x_url",
      "x_bearer_token",
      "jetstream_url",
      "control_url",
    ]);
    expect(await getJson(`${urls["kalshi_url"]}/historical/cutoff`)).toHaveProperty("market_settled_ts");
    expect(await getJson(`${urls["gamma_url"]}/markets/keyset?limit=2`)).toHaveProperty("markets");
    expect(await getJson(`${urls["control_url"]}/truth`)).toMatchObject({ seed: 3 });
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output.error).toBe("");
  });

  it("moves its clock on request, and exits with 0 on SIGINT too", async () => {
    const { child, ended, urls, output } = await serve("--speed", "0", "--from", "2026-09-20T00:00:00Z");
    const clock = `${urls["control_url"]}/clock`;
    const frozen = await getJson(clock);
    expect(frozen).toMatchObject({ now_ms: Date.UTC(2026, 8, 20) + 8_640_000, speed: 0 });
    const post = async (body: object) =>
      fetch(clock, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const to = Number(frozen["now_ms"]) + 60_000;
    expect(await (await post({ to_ms: to })).json()).toMatchObject({ now_ms: to, reached_ms: to });
    expect((await post({})).status).toBe(400);
    expect((await post({ to_ms: "x" })).status).toBe(400);
    await post({ speed: 1000 });
    await expect.poll(async () => Number((await getJson(clock))["reached_ms"])).toBeGreaterThan(to + 1000);
    child.kill("SIGINT");
    expect([await ended, output.error]).toEqual([0, ""]);
  });

  it.each([
    [["serve", "--speed", "fast"], '--speed must be a number from 0 to 1000000, got "fast"'],
    [["serve", "--from", "yesterday"], '--from must be an ISO-8601 moment, got "yesterday"'],
    [["serve", "--port-base", "70000"], "--port-base must be a number"],
    [["serve", "--gamma-port", "8081"], "--gamma-port is no flag of this command"],
    [["generate", "--fills", "1", "--out", "/tmp", "--fils=2"], "--fils is no flag of this command"],
    [["faults", "--no-control"], "--no-control is no flag of this command"],
  ])(
    "rejects %j with an error message",
    async (args, message) => {
      const { output, ended } = start(...args);
      expect(await ended).toBe(1);
      expect(output.error).toContain(message);
      expect(output.out).toBe("");
    },
    30_000,
  );

  it("lists its flags with --help", async () => {
    const { output, ended } = start("serve", "--help");
    expect(await ended).toBe(0);
    for (const flag of ["--seed", "--speed", "--from", "--days", "--port-base", "--limits", "--json"]) {
      expect(output.out).toContain(flag);
    }
  });
});
