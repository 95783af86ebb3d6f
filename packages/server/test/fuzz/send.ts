import { promisify } from "node:util";
import { brotliDecompress, gunzip, zstdDecompress } from "node:zlib";
import { Pool } from "undici";
import type { FuzzAnswer } from "./check-answer.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { exchange } from "./socket-requests.ts";

const CODINGS: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};
const TIMEOUT_MS = 120_000;

/** Sends one request to its target: returns the answers, or the reason why there is none. */
export type Send = (request: FuzzRequest) => Promise<readonly FuzzAnswer[] | string>;

const open = (to: string, connections: number): Pool =>
  new Pool(to, { connections, pipelining: 1, bodyTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS });

/** Opens keep-alive connections to a service and its metrics port. */
export function openSender(
  url: string,
  metricsUrl: string,
  connections: number,
): { readonly send: Send; readonly close: () => Promise<void> } {
  const [pool, metrics] = [open(url, connections), open(metricsUrl, 1)];
  const port = Number(new URL(url).port);
  return {
    send: async (request) => {
      const started = performance.now();
      try {
        const answers =
          request.target === "socket" && Buffer.isBuffer(request.body)
            ? await exchange(port, request.body)
            : [await ask(request.target === "metrics" ? metrics : pool, request)];
        const milliseconds = performance.now() - started;
        return answers.map((answer) => Object.assign(answer, { milliseconds }));
      } catch (error) {
        return `no answer: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    close: async () => {
      await Promise.all([pool.close(), metrics.close()]);
    },
  };
}

async function ask(
  pool: Pool,
  { method, path, headers, body }: FuzzRequest,
): Promise<Omit<FuzzAnswer, "milliseconds">> {
  const reply = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
  const bytes = Buffer.from(await reply.body.arrayBuffer());
  const coding = reply.headers["content-encoding"];
  const decode = typeof coding === "string" && bytes.length > 0 ? CODINGS[coding] : undefined;
  return { status: reply.statusCode, headers: reply.headers, body: decode === undefined ? bytes : await decode(bytes) };
}
