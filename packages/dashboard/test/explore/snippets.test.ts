import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../../server/test/promises/service.ts";
import type { AskedRequest } from "../../src/explore/request-of.ts";
import { curlSnippet } from "../../src/explore/snippets/curl-snippet.ts";
import { pythonSnippet } from "../../src/explore/snippets/python-snippet.ts";
import { typescriptSnippet } from "../../src/explore/snippets/typescript-snippet.ts";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const hasProgram = (name: string): boolean => spawnSync(name, ["--version"]).status === 0;
const PROOF = `/tmp/almanac-snippet-${process.pid}`;
const HOSTILE = [
  `it's "$(touch ${PROOF})" \`touch ${PROOF}\` \\ \${x}`,
  `');import os;os.system("touch ${PROOF}")#`,
  "crème 🏒 {x}",
  "-d @/etc/hosts",
];

const REQUESTS: readonly AskedRequest[] = [
  { agentId: 556, params: {} },
  { agentId: 556, params: { min_usd: "1" }, limit: 3, offset: 2 },
  ...HOSTILE.map((market_slug) => ({ agentId: 574, params: { market_slug }, limit: 2 })),
];

type Ran = { readonly out: string; readonly err: string; readonly code: number | null };

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

function run(program: string, args: readonly string[], input: string, key = service.key): Promise<Ran> {
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

async function rowsOf({ agentId, params, ...pagination }: AskedRequest): Promise<unknown> {
  const reply = await service.ask({
    agent_id: agentId,
    params,
    ...(Object.keys(pagination).length > 0 ? { pagination } : {}),
  });
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { data: { results: unknown } }).data.results;
}

const SNIPPETS = [
  {
    name: "curl",
    isThere: hasProgram("curl"),
    ran: async (request: AskedRequest, key?: string) => run("sh", ["-s"], curlSnippet(service.url, request), key),
    rows: (out: string) => (JSON.parse(out) as { data: { results: unknown } }).data.results,
  },
  {
    name: "TypeScript",
    isThere: true,
    ran: async (request: AskedRequest, key?: string) =>
      run(process.execPath, ["--input-type=module-typescript"], typescriptSnippet(service.url, request), key),
    rows: (out: string) => JSON.parse(out) as unknown,
  },
  {
    name: "Python",
    isThere: hasProgram("python3"),
    ran: async (request: AskedRequest, key?: string) => run("python3", ["-"], pythonSnippet(service.url, request), key),
    rows: (out: string) => JSON.parse(out) as unknown,
  },
];

describe.each(SNIPPETS)("the snippet for $name", ({ isThere, ran, rows }) => {
  it.skipIf(!isThere).each(REQUESTS)("gives what was asked: %j", async (request) => {
    const told = await ran(request);
    expect(told).toMatchObject({ code: 0 });
    expect(rows(told.out)).toEqual(await rowsOf(request));
    expect(existsSync(PROOF)).toBe(false);
  });

  it.skipIf(!isThere)("tells what was wrong", async () => {
    const { out, err } = await ran({ agentId: 556, params: { sied: "BUY" } });
    expect(out + err).toContain("did you mean side?");
  });

  it.skipIf(!isThere)("holds no key", async () => {
    const { out, err } = await ran({ agentId: 556, params: {} }, "alm_live_nobody");
    expect(out + err).toContain("UNAUTHENTICATED");
  });
});
