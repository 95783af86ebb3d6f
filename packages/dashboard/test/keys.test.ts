import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readWhole } from "../src/api/console-queries.ts";
import {
  expiryProblem,
  toExpiry,
  limitProblem,
  showKeyLimit,
  toKeyLimit,
  keyModeHelp,
  toKeyMode,
  toWantedKey,
  type KeyForm,
} from "../src/pages/keys/key-form.ts";
import { mayChangeKey, readableBy } from "../src/pages/keys/key-rights.ts";
import { toFirstCurl } from "../src/pages/keys/to-first-curl.ts";
import { passwordProblem } from "../src/pages/password/password-problem.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const dataset = (agent_id: number, params: Record<string, string> = {}) => ({
  agent_id,
  examples: [{ title: "An example", params }],
});

describe("the example command for a new key", () => {
  it("is quoted so that a shell passes every value unchanged", () => {
    const curl = toFirstCurl("https://a.test", "alm_live_x", null, [dataset(574, { q: "it's $HOME `x`" })]);
    const read = execFileSync("/bin/sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${curl}`], { encoding: "utf8" });
    const args = read.trimEnd().split("\n");
    expect(args[0]).toBe("https://a.test/api/v2/semantic/retrieve/parameterized");
    expect(args).toContain("Authorization: Bearer alm_live_x");
    expect(JSON.parse(args.at(-1) ?? "")).toEqual({
      agent_id: 574,
      params: { q: "it's $HOME `x`" },
      pagination: { limit: 5 },
    });
  });

  it("queries a dataset that both the key and the plan allow, or is omitted if there is none", () => {
    const readable = [dataset(2), dataset(3)];
    expect(toFirstCurl("https://a.test", "k", null, readable)).toContain('"agent_id":2');
    expect(toFirstCurl("https://a.test", "k", [3], readable)).toContain('"agent_id":3');
    expect(toFirstCurl("https://a.test", "k", [1], readable)).toBeUndefined();
  });
});

describe("the datasets of a key for another account", () => {
  const accounts = [
    { id: "acc_1", plan: "free" },
    { id: "acc_2", plan: "pro" },
  ];
  const plans = [
    { name: "free", datasets: ["free", 3] },
    { name: "pro", datasets: "all" as const },
  ];
  const datasets = [
    { agent_id: 1, plan: "free" },
    { agent_id: 2, plan: "pro" },
    { agent_id: 3, plan: "enterprise" },
  ];

  it("are those of the account's plan", () => {
    expect(readableBy("acc_1", accounts, plans, datasets)?.map(({ agent_id }) => agent_id)).toEqual([1, 3]);
    expect(readableBy("acc_2", accounts, plans, datasets)).toHaveLength(3);
  });

  it("are unknown until account and plan are loaded", () => {
    expect(readableBy("acc_3", accounts, plans, datasets)).toBeUndefined();
    expect(readableBy("acc_1", accounts, [], datasets)).toBeUndefined();
  });
});

describe("a key's expiry", () => {
  it("is computed from now, or is the end of the chosen day", () => {
    expect(toExpiry("never", "", NOW)).toBeUndefined();
    expect(toExpiry("30", "", NOW)).toBe("2026-04-01T12:00:00.000Z");
    expect(toExpiry("on", "2026-05-01", NOW)).toBe(new Date("2026-05-01T23:59:59").toISOString());
  });

  it("is rejected if the day is missing or past", () => {
    expect(expiryProblem("90", "", NOW)).toBeUndefined();
    expect(expiryProblem("on", "", NOW)).toBe("Choose a day.");
    expect(expiryProblem("on", "2026-02-01", NOW)).toContain("2026-02-01 has passed");
    expect(expiryProblem("on", "2026-09-01", NOW)).toBeUndefined();
  });
});

describe("the form for a new key", () => {
  const form: KeyForm = {
    name: " bot ",
    expiry: "never",
    day: "",
    datasets: undefined,
    account: undefined,
    mode: "strict",
    requests_per_minute: "",
    burst: "",
  };

  it("requests only what was chosen", () => {
    expect(toWantedKey(form, NOW)).toEqual({ name: "bot" });
    expect(toWantedKey({ ...form, expiry: "30", datasets: [574], account: "acc_1" }, NOW)).toEqual({
      name: "bot",
      expires_at: "2026-04-01T12:00:00.000Z",
      datasets: [574],
      account: "acc_1",
    });
  });

  it("requests a mode only if it is not the default", () => {
    expect(toWantedKey({ ...form, mode: toKeyMode("compatible") }, NOW)).toEqual({ name: "bot", mode: "compatible" });
    expect(toKeyMode("strict")).toBe("strict");
    expect(keyModeHelp("compatible")).not.toBe(keyModeHelp("strict"));
  });

  it("reports the field that prevents sending it", () => {
    expect(toWantedKey({ ...form, datasets: [] }, NOW)).toMatchObject({
      wrong: { datasets: expect.stringContaining("at least one") },
    });
    expect(toWantedKey({ ...form, expiry: "on" }, NOW)).toEqual({ wrong: { expiry: "Choose a day." } });
    expect(toWantedKey({ ...form, requests_per_minute: "6" }, NOW)).toEqual({
      wrong: { burst: "Give both, or leave both empty." },
    });
    expect(toWantedKey({ ...form, requests_per_minute: "0", burst: "2" }, NOW)).toEqual({
      wrong: { requests_per_minute: "0 is out of range: 1 to 1000000." },
    });
  });

  it("requests a limit for the key if one is entered", () => {
    expect(toWantedKey({ ...form, requests_per_minute: " 6", burst: "2" }, NOW)).toEqual({
      name: "bot",
      requests_per_minute: 6,
      burst: 2,
    });
  });
});

describe("a key's own limit", () => {
  it("is two whole numbers within bounds, or none", () => {
    const typed = { requests_per_minute: "", burst: "" };
    expect(limitProblem("burst", typed)).toBeUndefined();
    expect(limitProblem("requests_per_minute", { ...typed, burst: "5" })).toContain("both");
    expect(limitProblem("burst", { ...typed, burst: "5" })).toBeUndefined();
    expect(limitProblem("burst", { requests_per_minute: "5", burst: "1.5" })).toContain("not a whole number");
    expect(limitProblem("burst", { requests_per_minute: "5", burst: "1000001" })).toContain("out of range");
    expect(toKeyLimit(typed)).toEqual({ requests_per_minute: null, burst: null });
    expect(toKeyLimit({ requests_per_minute: "60", burst: "7" })).toEqual({ requests_per_minute: 60, burst: 7 });
  });

  it("is described in words", () => {
    expect(showKeyLimit({ requests_per_minute: null, burst: null })).toBe("the plan's");
    expect(showKeyLimit({ requests_per_minute: 1200, burst: 40 })).toBe("1,200 a minute, burst 40");
  });
});

describe("mayChangeKey", () => {
  it("allows the key's creator and users who manage the account", () => {
    expect(mayChangeKey({ id: "usr_1", role: "member" }, { created_by: "usr_1" })).toBe(true);
    expect(mayChangeKey({ id: "usr_1", role: "member" }, { created_by: "usr_2" })).toBe(false);
    expect(mayChangeKey({ id: "usr_1", role: "member" }, { created_by: null })).toBe(false);
    expect(mayChangeKey({ id: "usr_1", role: "owner" }, { created_by: null })).toBe(true);
  });
});

describe("a user's own password", () => {
  it("needs a minimum length and different characters, and the message says which is missing", () => {
    expect(passwordProblem("short")).toContain("5 characters");
    expect(passwordProblem("aaaaaaaaaaaa")).toContain("different");
    expect(passwordProblem("x".repeat(201))).toContain("201");
    expect(passwordProblem("correct horse battery")).toBeUndefined();
  });
});

describe("readWhole", () => {
  const pages = [
    { lines: [{ id: "1" }, { id: "2" }], has_more: true },
    { lines: [{ id: "3" }], has_more: false },
  ];

  it("reads a paged list to its end, continuing each page after the last line before it", async () => {
    const requested: (string | undefined)[] = [];
    const read = (after: string | undefined) => {
      requested.push(after);
      return Promise.resolve(pages[requested.length - 1] ?? { lines: [], has_more: false });
    };
    expect(await readWhole(read, ({ lines }) => lines)).toEqual([{ id: "1" }, { id: "2" }, { id: "3" }]);
    expect(requested).toEqual([undefined, "2"]);
  });

  it("stops at a page without lines", async () => {
    expect(
      await readWhole(
        () => Promise.resolve({ lines: [], has_more: true }),
        ({ lines }) => lines,
      ),
    ).toEqual([]);
  });
});
