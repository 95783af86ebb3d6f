import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { ABSENT, REASON, RECORDED } from "../record/recorded-folder.ts";

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
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, output, ended };
}

async function serve(...args: string[]) {
  const running = start("serve", "--json", "--days", "0.1", ...args);
  await expect.poll(() => running.output.out, { timeout: 60_000 }).toContain("\n");
  return { ...running, urls: JSON.parse(running.output.out) as Record<string, string> };
}

const getJson = async (url: string | undefined) => (await (await fetch(url ?? "")).json()) as Record<string, unknown>;

describe("exchange serve", () => {
  it("prints one line of JSON once every door listens, and ends with 0 on SIGTERM", async () => {
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
  }, 120_000);

  it("writes the truth when it is told to stop", async () => {
    const folder = await mkdtemp(join(tmpdir(), "exchange-truth-"));
    const { child, ended, urls, output } = await serve("--speed", "0", "--truth", folder);
    const counts = await getJson(`${urls["control_url"]}/truth`);
    child.kill("SIGINT");
    expect([await ended, output.error]).toEqual([0, ""]);
    expect(JSON.parse(await readFile(join(folder, "counts.json"), "utf8"))).toEqual(counts);
    const rows = async (name: string) => {
      const text = gunzipSync(await readFile(join(folder, `${name}.jsonl.gz`))).toString();
      return text.split("\n").length - 1;
    };
    expect(await rows("fills")).toBe(counts["fills"]);
    expect(await rows("kalshi_trades")).toBe(counts["kalshi_trades"]);
    expect(await rows("wallets")).toBe(counts["wallets"]);
    await rm(folder, { recursive: true });
  }, 120_000);

  it("moves its clock on demand", async () => {
    const { urls } = await serve("--speed", "0", "--from", "2026-09-20T00:00:00Z");
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
  }, 120_000);

  it.skipIf(ABSENT)(
    `puts recordings in front of the world${REASON}`,
    async () => {
      const { urls } = await serve("--speed", "0", "--record", RECORDED);
      const recorded = await getJson(`${urls["kalshi_url"]}/markets/KXELONMARS-99`);
      expect(recorded["market"]).toMatchObject({ yes_bid_dollars: "0.0800" });
      const { trades } = (await getJson(`${urls["kalshi_url"]}/markets/trades?limit=1`)) as { trades: unknown[] };
      expect(trades).toHaveLength(1);
      const events = await getJson(`${urls["gamma_url"]}/events/keyset?limit=1`);
      expect(events["events"]).toMatchObject([{ id: "3147", n_markets: 1 }]);
      const books = await fetch(`${urls["clob_url"]}/books`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify([
          { token_id: "79566404668615445908078226248211587049732093007976161395867728229952369958330" },
        ]),
      });
      expect(await books.json()).toMatchObject([{ neg_risk: false }]);
    },
    60_000,
  );

  it.each([
    [["--speed", "fast"], '--speed must be a number from 0 to 1000000, got "fast"'],
    [["--from", "yesterday"], '--from must be an ISO-8601 moment, got "yesterday"'],
    [["--record", "/nowhere"], "no recordings in /nowhere"],
    [["--kalshi-port", "70000"], "--kalshi-port must be a number"],
  ])(
    "refuses %j with a sentence",
    async (args, message) => {
      const { output, ended } = start("serve", "--days", "0.1", ...args);
      expect(await ended).toBe(1);
      expect(output.error).toContain(message);
      expect(output.out).toBe("");
    },
    30_000,
  );

  it("explains itself", async () => {
    const { output, ended } = start("serve", "--help");
    expect(await ended).toBe(0);
    for (const flag of ["--seed", "--speed", "--from", "--days", "--port-base", "--record", "--limits", "--json"]) {
      expect(output.out).toContain(flag);
    }
  }, 90_000);
});
