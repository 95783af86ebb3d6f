import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallerError } from "../../../server/src/definition/errors.ts";
import type { Ask } from "../../../server/src/query/answer.ts";
import { answerOf, openApi, TOKEN, type Api } from "../../../server/test/http/api.ts";
import { SNIPPETS as TEXTS } from "../../../server/src/http/docs/snippets/snippets.ts";
import { fillSnippet, bodyOf, type SentRequest } from "../../src/explore/request.ts";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const hasProgram = (name: string): boolean => spawnSync(name, ["--version"]).status === 0;
const PROOF = `/tmp/almanac-snippet-${process.pid}`;
const HOSTILE = `it's "$(touch ${PROOF})" \`touch ${PROOF}\` \\ \${x} ');import os;os.system("touch ${PROOF}")# crème 🏒\n\u2028`;

const REQUESTS: readonly SentRequest[] = [
  { agentId: 574, params: {} },
  { agentId: 574, params: { closed: "False", owner: "0x12" }, limit: 3, offset: 2 },
  { agentId: 574, params: { [HOSTILE]: HOSTILE }, limit: 2 },
];

type Ran = { readonly out: string; readonly err: string; readonly code: number | null };

/** Returns the request body as its only row. */
const echo: Ask = async (body) => {
  const { params } = body as { params: Readonly<Record<string, string>> };
  if ("sied" in params) throw new CallerError("INVALID_PARAMS", "params.sied: did you mean side?");
  const { coverage } = answerOf();
  return answerOf({
    body: Buffer.from(JSON.stringify([body])),
    rowCount: 1,
    coverage: { ...coverage, complete: false, reasons: ["a source was down"] },
  });
};

let api: Api;
beforeAll(async () => {
  api = await openApi(echo);
});
afterAll(() => api.close());

function run(program: string, args: readonly string[], input: string, key = TOKEN): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, ALMANAC_API_KEY: key } });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.on("close", (code) => resolve({ out, err, code }));
    child.stdin.end(input);
  });
}

const SNIPPETS = [
  {
    name: "curl",
    isThere: hasProgram("curl"),
    ran: async (request: SentRequest, key?: string) =>
      run("sh", ["-s"], fillSnippet(TEXTS.curl, api.url, request), key),
    rows: (out: string) => (JSON.parse(out) as { data: { results: unknown } }).data.results,
  },
  {
    name: "TypeScript",
    isThere: true,
    ran: async (request: SentRequest, key?: string) =>
      run(process.execPath, ["--input-type=module-typescript"], fillSnippet(TEXTS.typescript, api.url, request), key),
    rows: (out: string) => JSON.parse(out) as unknown,
  },
  {
    name: "Python",
    isThere: hasProgram("python3"),
    ran: async (request: SentRequest, key?: string) =>
      run("python3", ["-"], fillSnippet(TEXTS.python, api.url, request), key),
    rows: (out: string) => JSON.parse(out) as unknown,
  },
];

describe.each(SNIPPETS)("the snippet for $name", ({ isThere, ran, rows }) => {
  it.skipIf(!isThere)("sends the request unchanged, whatever characters its values contain", async () => {
    const reported = await Promise.all(REQUESTS.map((request) => ran(request)));
    for (const [place, request] of REQUESTS.entries()) {
      expect(reported[place]).toMatchObject({ code: 0 });
      expect(rows(reported[place]?.out ?? "")).toEqual([bodyOf(request)]);
    }
    expect(reported[0]?.out ?? "").not.toContain(TOKEN);
    expect(existsSync(PROOF)).toBe(false);
  });

  it.skipIf(!isThere)("prints the service's error, and contains no key", async () => {
    const [misspelt, stranger] = await Promise.all([
      ran({ agentId: 574, params: { sied: "BUY" } }),
      ran({ agentId: 574, params: {} }, "alm_live_nobody"),
    ]);
    expect(misspelt.out + misspelt.err).toContain("did you mean side?");
    expect(stranger.out + stranger.err).toContain("UNAUTHENTICATED");
  });
});
