import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./repository.ts";

const read = (file: string): string => readFileSync(join(REPOSITORY, file), "utf8");
const text = read("deploy/Dockerfile").replaceAll(/\\\n\s*/g, " ");
const lines = text.split("\n").filter((line) => /^[A-Z]+ /.test(line));
const allowed = read(".dockerignore")
  .split("\n")
  .filter((line) => line.startsWith("!"))
  .map((line) => line.slice(1));
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}(/|$)`).test(path);

/** Repository paths that COPY copies. */
const copied = lines
  .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
  .flatMap((line) => line.split(/\s+/).slice(1, -1))
  .filter((word) => !word.startsWith("--"));

describe("deploy/Dockerfile (never built here: no Docker engine is installed)", () => {
  test.each(copied)("%s exists, and .dockerignore does not exclude it", (path) => {
    expect(existsSync(join(REPOSITORY, path))).toBe(true);
    const isWhole = allowed.some((pattern) => matches(pattern, path));
    const isPartly = allowed.some((pattern) => pattern.startsWith(`${path}/`));
    expect(isWhole || isPartly, path).toBe(true);
  });

  test("copies every package manifest that the lock file needs before npm ci", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json`);
    for (const line of lines.filter((one) => one.includes("npm "))) expect(line).toMatch(/npm ci --ignore-scripts/);
  });

  test("pins the Node version of the bootstrap script and downloads nothing but packages", () => {
    const version = /NODE_VERSION = "([\d.]+)"/.exec(read("scripts/bootstrap.mjs"))?.[1];
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:${version}-bookworm-slim`, "manifests"]));
    expect(text).not.toMatch(/\b(curl|wget|ADD|sudo)\b/);
    expect(text).toMatch(/apt-get install --yes --no-install-recommends .*rm -rf \/var\/lib\/apt\/lists/);
  });

  test("runs as an unprivileged user, stops on SIGTERM, and has a readiness health check", () => {
    const last = text.slice(text.lastIndexOf("FROM "));
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(/^HEALTHCHECK .*healthcheck\.mjs"\]$/m);
    expect(last.indexOf("USER ")).toBeLessThan(last.indexOf("ENTRYPOINT "));
  });

  test.each([
    [200, 0],
    [503, 1],
  ])("the health check of a service that answers /ready with %i exits with %i", async (status, code) => {
    const server = createServer((incoming, outgoing) =>
      outgoing.writeHead(incoming.url === "/ready" ? status : 404).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const env = { ...process.env, ALMANAC_PORT: String((server.address() as AddressInfo).port) };
    const child = spawn(process.execPath, [join(REPOSITORY, "deploy/docker/healthcheck.mjs")], { env });
    const ended = await new Promise((resolve) => child.once("exit", resolve));
    server.close();
    server.closeAllConnections();
    expect(ended).toBe(code);
  });

  test("the image's almanac script replaces itself with the program and passes its arguments on", () => {
    expect(read("deploy/docker/almanac")).toMatch(/^exec node .*\/almanac\/packages\/server\/src\/main\.ts "\$@"$/m);
    expect(existsSync(join(REPOSITORY, "packages/server/src/main.ts"))).toBe(true);
  });
});
