import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { freePort } from "../fixtures/free-port.ts";
import { makeCertificate, opensslAbsence } from "../fixtures/make-certificate.ts";
import { REPOSITORY } from "./repository.ts";

const NGINX = "/usr/sbin/nginx";
/** More than an address's limit, as each of its connections needs another one to the service. */
const CONNECTIONS = 4096;
const TEMPLATE = join(REPOSITORY, "deploy/nginx/almanac.conf.template");

/** Why nginx tests are skipped on this machine; undefined if they are not. */
export function nginxAbsence(): string | undefined {
  if (spawnSync(NGINX, ["-v"]).status !== 0) return "left out: nginx is not installed";
  const absence = opensslAbsence();
  return absence === undefined ? undefined : `left out: ${absence}`;
}

export type TestNginx = {
  readonly url: string;
  /** The URL of the port without TLS. */
  readonly plainUrl: string;
  /** Trusts nginx's certificate. */
  readonly dispatcher: Agent;
  /** The same, but from this address of this machine, and by HTTP/1.1. */
  readonly dispatcherFrom: (address: string) => Agent;
  readonly stop: () => Promise<void>;
};

/** Number of requests an address may send at once; almost none are allowed after them. */
type Few = { readonly burst: number };

/** Writes a folder with deploy/nginx as an operator would lay it out, for these API processes. */
function layOut(servers: string, ports: { readonly http: number; readonly https: number }, few?: Few): string {
  const folder = mkdtempSync(join(tmpdir(), "almanac-nginx-"));
  const { certificate, key } = makeCertificate(folder);
  const values: Record<string, string> = {
    ALMANAC_SERVER_NAME: "localhost",
    ALMANAC_HTTP_PORT: `127.0.0.1:${ports.http}`,
    ALMANAC_HTTPS_PORT: `127.0.0.1:${ports.https}`,
    ALMANAC_TLS_CERTIFICATE: certificate,
    ALMANAC_TLS_KEY: key,
    ALMANAC_NGINX_DIR: join(folder, "almanac"),
  };
  mkdirSync(join(folder, "almanac"));
  writeFileSync(join(folder, "almanac/api-servers.conf"), servers);
  const whole = readFileSync(TEMPLATE, "utf8");
  const template = few ? whole.replace("rate=200r/s", "rate=1r/m").replace("burst=1000", `burst=${few.burst}`) : whole;
  const site = template.replaceAll(/\$\{([A-Z_]+)\}/g, (text, name: string) => values[name] ?? text);
  writeFileSync(join(folder, "almanac.conf"), site);
  const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const user = process.getuid?.() === 0 ? "user root;" : "";
  writeFileSync(
    join(folder, "nginx.conf"),
    `${user} worker_processes 1; pid ${folder}/nginx.pid; events { worker_connections ${CONNECTIONS}; } http { access_log off; ${own.join(" ")} include ${folder}/almanac.conf; }`,
  );
  return folder;
}

const program = (folder: string, ...args: string[]): string[] =>
  ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")].concat(args);

/** Runs `nginx -t` on the configuration with these lines of API processes. */
export function checkNginx(servers: string): { readonly isGood: boolean; readonly said: string } {
  const folder = layOut(servers, { http: 1, https: 2 });
  try {
    const done = spawnSync(NGINX, program(folder, "-t"), { encoding: "utf8" });
    return { isGood: done.status === 0, said: done.stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts Debian's nginx with deploy/nginx and its own certificate in front of these API processes. With `isForgiving`
 * it does not remember failures from one request to the next.
 */
export async function startNginx(
  apiPorts: readonly number[],
  { isForgiving = false, few }: { readonly isForgiving?: boolean; readonly few?: Few } = {},
): Promise<TestNginx> {
  const example = readFileSync(join(REPOSITORY, "deploy/nginx/api-servers.conf"), "utf8");
  const line = example.split("\n").find((text) => text.startsWith("server ")) ?? "";
  const lines = apiPorts.map((port) => line.replace("127.0.0.1:8080", `127.0.0.1:${port}`)).join("\n");
  const servers = isForgiving ? lines.replaceAll(/max_fails=\d+/g, "max_fails=0") : lines;
  const [http, https] = [await freePort(), await freePort()];
  const folder = layOut(servers, { http, https }, few);
  const nginx = spawn(NGINX, program(folder, "-g", "daemon off;"), { stdio: "ignore" });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  const ca = readFileSync(join(folder, "tls.crt"));
  const dispatchers = [new Agent({ connect: { ca } })] as [Agent, ...Agent[]];
  const plainUrl = `http://localhost:${http}`;
  await untilListening(plainUrl, () => readFileSync(join(folder, "error.log"), "utf8"));
  return {
    url: `https://localhost:${https}`,
    plainUrl,
    dispatcher: dispatchers[0],
    dispatcherFrom: (localAddress) => {
      const dispatcher = new Agent({ localAddress, allowH2: false, connect: { ca, family: 4 } });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    stop: async () => {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
      nginx.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(url: string, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const reply = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    if (reply !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nginx did not answer: ${log()}`);
}
