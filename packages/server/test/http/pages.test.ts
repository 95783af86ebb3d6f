import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPages } from "../../src/http/pages/create-pages.ts";
import { answerOf, openApi, type Api } from "./api.ts";

const INDEX = "<!doctype html><title>Almanac</title>";
const SCRIPT = `export const words = ${JSON.stringify("almanac ".repeat(500))};`;
const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

let folder: string;
let api: Api;
let bare: Api;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-pages-"));
  mkdirSync(join(folder, "dist/assets"), { recursive: true });
  writeFileSync(join(folder, "secret.html"), "secret");
  writeFileSync(join(folder, "dist/index.html"), INDEX);
  writeFileSync(join(folder, "dist/favicon.svg"), "<svg/>");
  writeFileSync(join(folder, "dist/.built"), "{}");
  writeFileSync(join(folder, "dist/tool.sh"), "echo");
  writeFileSync(join(folder, "dist/assets/index-Ab12.js"), SCRIPT);
  api = await openApi(async () => answerOf(), { pages: readPages(join(folder, "dist")) });
  bare = await openApi(async () => answerOf(), { pages: readPages(join(folder, "nothing")) });
});
afterAll(async () => {
  await Promise.all([api.close(), bare.close()]);
  rmSync(folder, { recursive: true, force: true });
});

type Raw = { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer };

/** Requests without a client's normalisation of paths and decoding of bodies. */
function raw(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port: api.port, path, method, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.once("end", () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.once("error", reject);
    sent.end();
  });
}

describe("the dashboard's files", () => {
  it("include index.html at /, always revalidated, under the strict content security policy", async () => {
    const reply = await fetch(`${api.url}/`);
    expect(await reply.text()).toBe(INDEX);
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("no-cache");
    const policy = reply.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it("are immutable if their name contains a digest, and return 304 for their tag", async () => {
    const first = await fetch(`${api.url}/assets/index-Ab12.js`);
    expect(first.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(first.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const again = await fetch(`${api.url}/assets/index-Ab12.js`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    expect((await fetch(`${api.url}/favicon.svg`)).headers.get("cache-control")).toBe("no-cache");
  });

  it.each([
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip", "gzip", gunzipSync],
    ["identity", undefined, (body: Buffer) => body],
  ])("are encoded as Accept-Encoding: %s allows", async (accepted, coding, unpack) => {
    for (const visit of ["first", "second"]) {
      const reply = await raw("/assets/index-Ab12.js", { "accept-encoding": accepted });
      expect(reply.headers["content-encoding"], visit).toBe(coding);
      expect(reply.headers["vary"]).toBe("accept-encoding");
      expect(unpack(reply.body).toString()).toBe(SCRIPT);
    }
  });

  it("are the built files and nothing outside them", async () => {
    for (const path of [
      "/secret.html",
      "/../secret.html",
      "/assets/../../secret.html",
      "/..%2fsecret.html",
      "/%2e%2e/secret.html",
      "/assets/..%5c..%5csecret.html",
      "/.built",
      "/tool.sh",
      "/assets/missing.js",
      "/assets/",
    ]) {
      const reply = await raw(path, { accept: "*/*" });
      expect(reply.status, path).toBe(404);
      expect(reply.body.toString(), path).not.toBe("secret");
    }
    for (const path of [
      "/..%2fsecret.html",
      "/../secret.html",
      "/.built",
      "/assets/missing.js",
      "/docs/none",
      "/api",
    ]) {
      expect((await raw(path, { accept: BROWSER })).status, path).toBe(404);
    }
  });
});

describe("a path of the dashboard", () => {
  it.each(["/sign-in", "/explore/polymarket-trades?side=BUY", "/wallets/0xabc", "/healthy"])(
    "%s returns index.html to a browser",
    async (path) => {
      const reply = await raw(path, { accept: BROWSER });
      expect(reply.status).toBe(200);
      expect(reply.body.toString()).toBe(INDEX);
      expect(reply.headers["cache-control"]).toBe("no-cache");
      const head = await raw(path, { accept: BROWSER }, "HEAD");
      expect([head.status, head.body.length]).toEqual([200, 0]);
    },
  );

  it.each(["*/*", "application/json", "text/html;q=0", ""])("returns 404 in JSON for Accept: %s", async (accept) => {
    const reply = await raw("/sign-in", { accept });
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.body.toString())).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("allows only GET", async () => {
    expect((await raw("/sign-in", { accept: BROWSER }, "POST")).status).toBe(404);
    expect((await raw("/", { accept: BROWSER }, "POST")).status).toBe(405);
  });
});

describe("a service without a built dashboard", () => {
  it("names the build command at / and returns 404 elsewhere", async () => {
    const reply = await fetch(`${bare.url}/`, { headers: { accept: BROWSER } });
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain("npm run dashboard");
    expect((await fetch(`${bare.url}/sign-in`, { headers: { accept: BROWSER } })).status).toBe(404);
    expect((await fetch(`${bare.url}/docs`)).status).toBe(200);
  });
});
