import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { openService, type Service } from "../promises/service.ts";
import { madeDocs, PLACE, unescaped } from "./made-docs.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const LONG_MS = 300_000;
const IMPORT = 'import { createClient } from "@almanac/client";';
const isThere = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(`${folder}/${program}`));

let service: Service;
let docs: ReadonlyMap<string, string>;
beforeAll(async () => {
  [service, docs] = await Promise.all([openService(), madeDocs()]);
});
afterAll(() => service.close());

type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a program as a reader would, with an API key in the environment. */
const run = (program: string, args: readonly string[], input = ""): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], ALMANAC_API_KEY: service.key, NODE_NO_WARNINGS: "1" };
    const child = execFile(program, args, { cwd: ROOT, env, maxBuffer: 64 << 20 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
    );
    child.stdin?.end(input);
  });

const BLOCK = /<code class="([a-z]+)">([\s\S]*?)<\/code\s*>/g;
const GUIDES = [
  "/docs",
  "/docs/guides/getting-started",
  "/docs/guides/moving",
  "/docs/guides/paging",
  "/docs/guides/formats",
];

/** The code blocks of all pages in the languages, with this service's address in place of the documented one. */
function blocksIn(...languages: readonly string[]): string[] {
  const paths = [...datasets.map(({ name }) => `/docs/datasets/${name}`), ...GUIDES];
  return paths
    .flatMap((path) => Array.from((docs.get(path) ?? "").matchAll(BLOCK)))
    .filter(([, language = ""]) => languages.includes(language))
    .map(([, , code = ""]) => unescaped(code).replaceAll(PLACE, service.url));
}

const EXAMPLES = datasets.flatMap(({ examples }) => examples).length;

describe("every example on every page", () => {
  it.skipIf(!isThere("curl"))("returns 200 by curl (skipped if curl is missing)", { timeout: LONG_MS }, async () => {
    const blocks = blocksIn("shell", "sh").filter((block) => block.startsWith("curl"));
    expect(blocks.length).toBeGreaterThan(EXAMPLES);
    const script = blocks.map((block) => `${block} -o /dev/null -w '%{http_code}\\n'`).join("\n");
    const { out } = await run("sh", ["-c", script]);
    const statuses = out.trim().split("\n");
    expect(statuses.length).toBe(blocks.length);
    expect(blocks.filter((_block, at) => statuses[at] !== "200")).toEqual([]);
  });

  it.skipIf(!isThere("python3"))("runs in Python (skipped if it is missing)", { timeout: LONG_MS }, async () => {
    const blocks = blocksIn("python");
    expect(blocks.length).toBeGreaterThan(EXAMPLES);
    const each = "import json, sys\nfor block in json.load(sys.stdin): exec(compile(block, block, 'exec'), {})";
    const { code, err } = await run("python3", ["-c", each], JSON.stringify(blocks));
    expect(code, err).toBe(0);
  });

  it("runs in TypeScript", { timeout: LONG_MS }, async () => {
    const blocks = blocksIn("typescript", "ts");
    expect(blocks.length).toBeGreaterThan(EXAMPLES);
    const bodies = blocks.map((block) => `await (async () => {${block.replace(IMPORT, "")}})();`);
    for (const body of bodies) expect(body).not.toMatch(/^import /m);
    const script = [IMPORT, ...bodies].join("\n");
    const { code, err } = await run(process.execPath, ["--input-type=module-typescript", "-"], script);
    expect(code, err).toBe(0);
  });
});
