import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue/datasets.ts";
import { openService, type Service } from "../promises/service.ts";
import { madeDocs, PLACE, unescaped } from "./made-docs.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const isThere = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(`${folder}/${program}`));

let service: Service;
let docs: ReadonlyMap<string, string>;
beforeAll(async () => {
  [service, docs] = await Promise.all([openService(), madeDocs()]);
});
afterAll(() => service.close());

type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a program as a reader would, with a key in the environment. */
const run = (program: string, ...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], ALMANAC_API_KEY: service.key, NODE_NO_WARNINGS: "1" };
    execFile(program, args, { cwd: ROOT, env, timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
    );
  });

const BLOCK = /<code class="([a-z]+)">([\s\S]*?)<\/code\s*>/g;

/** The blocks of a page in a language, with this service in place of the one they name. */
function blocksOf(path: string, language: string): string[] {
  const blocks = [...(docs.get(path) ?? "").matchAll(BLOCK)].filter(([, one]) => one === language);
  return blocks.map(([, , code]) => unescaped(code ?? "").replaceAll(PLACE, service.url));
}

const pages = [
  ...datasets.map((dataset) => [`/docs/datasets/${dataset.name}`, dataset.examples.length] as const),
  ["/docs", 0] as const,
  ["/docs/guides/getting-started", 0] as const,
  ["/docs/guides/paging", 0] as const,
  ["/docs/guides/formats", 0] as const,
];

describe.each(pages)("the examples of %s", (path, least) => {
  it.skipIf(!isThere("curl"))("answer 200 by curl (left out where there is no curl)", async () => {
    const blocks = [...blocksOf(path, "shell"), ...blocksOf(path, "sh")].filter((block) => block.startsWith("curl"));
    expect(blocks.length).toBeGreaterThanOrEqual(least);
    for (const block of blocks) {
      const { out, err } = await run("sh", "-c", `${block} -o /dev/null -w '%{http_code}'`);
      expect(out, `${block}\n${err}`).toBe("200");
    }
  });

  it.skipIf(!isThere("python3"))("run in Python (left out where there is no python3)", async () => {
    const blocks = blocksOf(path, "python");
    expect(blocks.length).toBeGreaterThanOrEqual(least);
    for (const block of blocks) {
      const { code, err } = await run("python3", "-c", block);
      expect(code, `${block}\n${err}`).toBe(0);
    }
  });

  it("run in TypeScript", async () => {
    const blocks = [...blocksOf(path, "typescript"), ...blocksOf(path, "ts")];
    expect(blocks.length).toBeGreaterThanOrEqual(least);
    for (const block of blocks) {
      const { code, err } = await run(process.execPath, "--input-type=module-typescript", "--eval", block);
      expect(code, `${block}\n${err}`).toBe(0);
    }
  });
});
