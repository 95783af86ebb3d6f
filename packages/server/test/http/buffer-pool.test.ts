import { request } from "node:http";
import { expect, test } from "vitest";
import { answerBuffers, isLent, lend, openBufferPool, release, share } from "../../src/query/buffer-pool.ts";
import { openCache } from "../../src/query/query-cache.ts";
import { answerOf, HEADERS, openApi } from "./api.ts";

test("a returned buffer is reused, and the pool keeps no more bytes than its bound", () => {
  const pool = openBufferPool(40_000);
  const [first, second, third] = [pool.take(1), pool.take(17_000), pool.take(16_384)];
  expect([first.length, second.length, third.length]).toEqual([16_384, 32_768, 16_384]);
  pool.give(first);
  pool.give(second);
  pool.give(third);
  expect(pool.take(10)).toBe(third);
  expect(pool.take(10)).toBe(first);
  expect(pool.take(20_000)).not.toBe(second);
});

test("a buffer longer than the longest kept is allocated at its exact length and not kept", () => {
  const pool = openBufferPool(100_000_000);
  const long = pool.take(1_048_577);
  expect(long.length).toBe(1_048_577);
  pool.give(long);
  expect(pool.take(1_048_577)).not.toBe(long);
});

test("a lent buffer is returned once, and never while it is shared", async () => {
  const whole = answerBuffers.take(500_000);
  const bytes = lend(whole, 400_000);
  release(bytes);
  release(bytes);
  expect(answerBuffers.take(500_000)).toBe(whole);
  expect(answerBuffers.take(500_000)).not.toBe(whole);
  const cache = openCache<{ body: Buffer; isCurrent: () => boolean }>(() => 1, 100, {
    headOf: (value) => value,
    shared: ({ body }) => share(body),
  });
  const ask = (key: string) =>
    cache.joined(key, {
      stamp: () => 0,
      ask: async () => ({ body: lend(whole, 400_000), isCurrent: () => true }),
      lifeMs: () => 0,
    });
  expect(isLent((await ask("by one")).body)).toBe(true);
  const [one, other] = await Promise.all([ask("by two"), ask("by two")]);
  expect([isLent(one.body), other === one]).toEqual([false, true]);
  release(one.body);
  expect(answerBuffers.take(500_000)).not.toBe(whole);
});

const rows = (id: unknown): string => `["${String(id).padStart(4, "0").repeat(220_000)}"]`;

/** Posts, leaves the reply in the socket buffers for a while, then reads all of it; or aborts midway. */
function postSlowly(url: string, id: number, isCut: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: "POST", headers: HEADERS, agent: false }, (answer) => {
      let text = "";
      if (isCut) {
        answer.destroy();
        resolve("");
        return;
      }
      setTimeout(() => answer.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))), (id % 5) * 20);
      answer.once("end", () => resolve(text));
    });
    asking.once("error", reject);
    asking.end(JSON.stringify({ agent_id: 574, id }));
  });
}

test("no answer contains bytes of another, however slowly clients read and whichever abort meanwhile", async () => {
  const api = await openApi(async ({ id }) => answerOf({ body: Buffer.from(rows(id)) }));
  const all = await Promise.all(
    Array.from({ length: 60 }, async (_, id) => {
      await new Promise((resolve) => setTimeout(resolve, id * 4));
      const isCut = id % 7 === 3;
      return { id, isCut, text: await postSlowly(api.endpoint, id, isCut) };
    }),
  );
  const mixed = all.filter(({ id, isCut, text }) => !isCut && !text.startsWith(`{"data":{"results":${rows(id)}},`));
  expect(mixed.map(({ id }) => id)).toEqual([]);
  await api.close();
});
