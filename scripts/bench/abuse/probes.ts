import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { bodyOf, post } from "../ask-question.ts";
import type { Stored } from "../peers/storing-service.ts";

const READY_EVERY_MS = 250;
const LOOK_EVERY_MS = 50;
const NEWEST = bodyOf(556, {}, 100);
/** A batch that is not visible after this long is counted with this lag. */
const MAX_LAG_MS = 60_000;

export type ReadyFound = { readonly maxMs: number; readonly requested: number; readonly failed: number };

/** Requests `/ready` four times a second on its own connection until stopped; latency counts from when each was due. */
export function probeReady(baseUrl: string): () => Promise<ReadyFound> {
  const pool = new Pool(baseUrl, { connections: 1, pipelining: 1 });
  const end = new AbortController();
  const looking = (async () => {
    let [maxMs, requested, failed] = [0, 0, 0];
    for (let due = performance.now(); !end.signal.aborted; due += READY_EVERY_MS) {
      await sleep(Math.max(0, due - performance.now()));
      const good = await pool.request({ path: "/ready", method: "GET" }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        () => false,
      );
      requested += 1;
      if (!good) failed += 1;
      maxMs = Math.max(maxMs, performance.now() - due);
    }
    return { maxMs, requested, failed };
  })();
  return async () => {
    end.abort();
    const found = await looking;
    await pool.close();
    return found;
  };
}

type Answer = { readonly data: { readonly results: readonly { readonly block_number: number | null }[] } };

/**
 * Polls the newest trades until stopped; returns how long each batch took from being handed to the store to the first
 * response that contains it, in milliseconds.
 */
export function probeLag(baseUrl: string, key: string, child: ChildProcess): () => Promise<readonly number[]> {
  const pool = new Pool(baseUrl, { connections: 1, pipelining: 1 });
  const waiting = new Map<number, number>();
  const lags: number[] = [];
  const note = (message: unknown): void => {
    if (isStored(message)) waiting.set(message.block, message.began);
  };
  child.on("message", note);
  const end = new AbortController();
  const looking = (async () => {
    while (!end.signal.aborted || [...waiting.values()].some((began) => Date.now() - began < MAX_LAG_MS)) {
      const seen = await newestBlock(pool, key);
      for (const [block, began] of waiting) {
        if (block > seen) continue;
        lags.push(Date.now() - began);
        waiting.delete(block);
      }
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return async () => {
    child.off("message", note);
    end.abort();
    await looking;
    await pool.close();
    return [...lags, ...[...waiting].map(() => MAX_LAG_MS)];
  };
}

const isStored = (message: unknown): message is Stored =>
  typeof message === "object" && message !== null && "block" in message && "began" in message;

async function newestBlock(pool: Pool, key: string): Promise<number> {
  const { isGood, bytes } = await post(pool, key, NEWEST).catch(() => ({ isGood: false, bytes: new ArrayBuffer(0) }));
  if (!isGood) return 0;
  const { data } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Answer;
  return Math.max(0, ...data.results.map(({ block_number }) => block_number ?? 0));
}
