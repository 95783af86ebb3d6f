import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { polymarketCandlesFromFills } from "../../src/derivations/polymarket-candles.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { openRecords } from "../../src/records/records.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { PlayChain } from "./play-chain.ts";
import { quickChainStream } from "./quick-chain-stream.ts";
import { closeAll, listen, readBody, serveChain } from "./serve-chain.ts";
import { candleCounts, storedRows } from "./stored-rows.ts";

/** Statements from the first deletion on: three deletions, the fresh rows, three insertions, and the end. */
const STEPS = thoroughly([0, 1, 2, 3, 5, 7], [0, 2, 3, 5]);

test("after kill -9 at each step of a rollback, the next start completes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-reorg-kill-"));
  const store = await openTestStore();
  const chain = new PlayChain(90);
  const node = await serveChain(chain);
  const proxy = await engineProxy(store.address.url);
  const address = JSON.stringify({ ...store.address, url: proxy.url });
  let child: ChildProcess | undefined;
  try {
    for (const step of STEPS) {
      child = spawn(process.execPath, [join(import.meta.dirname, "gathering-child.ts"), folder, address, node.url], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      // The first process reads the chain before the reorganisation; the others find it reorganised at their start.
      if (step === 0) await expect.poll(() => storedRows(store), { timeout: 240_000 }).toEqual(chain.truth());
      proxy.killAt(step, () => child?.kill("SIGKILL"));
      // Each reorganises deeper than the blocks that the one before rolled back.
      chain.reorg(3 + 4 * step, (txs) => txs.toReversed().filter((tx) => tx % 5 !== step % 5), step % 2);
      if (step % 3 === 0) chain.grow(2);
      await ended;
      expect(child.signalCode).toBe("SIGKILL");
    }
    proxy.killAt(Number.POSITIVE_INFINITY, () => undefined);
    const records = await openRecords({ dataDir: folder });
    const ingest = startIngest({
      store,
      records,
      log: pino({ level: "silent" }),
      connectors: [quickChainStream],
      derivations: [polymarketCandlesFromFills],
      settings: { POLYGON_RPC_URL: node.url },
      metrics: new Registry(),
      clock: systemClock,
      signal: new AbortController().signal,
    });
    const block = async () => (await ingest.status()).streams[0]?.cursor?.["block"];
    await expect.poll(block, { timeout: 240_000 }).toBe(chain.head);
    const gaps = () => records.db.selectFrom("gaps").select("reason").where("filled_at", "is", null).execute();
    await expect.poll(gaps, { timeout: 240_000 }).toEqual([]);
    await ingest.stop();
    expect(await storedRows(store)).toEqual(chain.truth());
    const candles = await candleCounts(store);
    expect(candles.stored).toEqual(candles.true);
    await records.close();
  } finally {
    child?.kill("SIGKILL");
    proxy.close();
    node.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 900_000);

/** Proxies the engine, and kills a process before the n-th statement from its first deletion of fills on. */
async function engineProxy(engine: string) {
  let left = Number.POSITIVE_INFINITY;
  let isCounting = false;
  let kill: (() => void) | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      const statement = `${new URL(request.url ?? "/", engine).searchParams.get("query") ?? ""}${body.toString("utf8", 0, 100)}`;
      isCounting ||= statement.startsWith("DELETE FROM polymarket_fills");
      if (
        isCounting &&
        /^(DELETE|INSERT|TRUNCATE)/.test(statement) &&
        !statement.startsWith("INSERT INTO polymarket_candles")
      ) {
        if (left <= 0) {
          kill?.();
          return;
        }
        left -= 1;
      }
      const { host: _host, "content-length": _length, ...headers } = request.headers;
      const answer = await fetch(`${engine}${request.url ?? ""}`, { method: "POST", body, headers: headers as never });
      const bytes = Buffer.from(await answer.arrayBuffer());
      for (const [name, value] of answer.headers) {
        if (!["connection", "transfer-encoding", "content-encoding", "content-length"].includes(name))
          response.setHeader(name, value);
      }
      response.writeHead(answer.status).end(bytes);
    })().catch(() => response.destroy());
  });
  return {
    url: await listen(server),
    close: () => closeAll(server),
    killAt: (statements: number, how: () => void) => {
      [left, isCounting, kill] = [statements, false, how];
    },
  };
}
