import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { polymarketTrades } from "../../src/datasets/polymarket-trades.ts";
import type { Coverage } from "../../src/definition/coverage.ts";
import { isDamaged } from "../../src/ordered/ordered-store.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";
import { openQuery, type QueryOptions } from "../../src/query/open-query.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { saidBy } from "../fixtures/read-columnar.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";
import { heldBy, storedFills } from "./every-fill.ts";
import { tear } from "./tear.ts";

const ROUNDS = thoroughly(60, 6);
const WALLETS = 9;
const WHOLE: Coverage = { complete: true, from: null, to: null, gaps: [], reasons: [] };
const ANYONE = { mayRead: () => true, maxPage: 10_000, mode: "strict" } as const;
/** Requests for all wallets and for each one. */
const BODIES = [{}, ...Array.from({ length: WALLETS }, (_, at) => ({ proxy_wallet: hex(at, 40) }))].map((params) => ({
  agent_id: 556,
  params,
  pagination: { limit: 700 },
  formatter_config: { format_type: "raw" },
}));
const random = seededRandom();
const below = (count: number): number => Math.floor(random() * count);
const fills = table("polymarket_fills");
const folder = mkdtempSync(join(tmpdir(), "almanac-torn-"));
const thread = openFeedThread();
const nowMs = Date.now() + 10_000;
let logged: { readonly err: unknown }[] = [];
const log = {
  info: () => undefined,
  error: (line: { readonly err: unknown }) => void logged.push(line),
};
let store: OpenStore;
let index: ServedIndex | undefined;
let next = 0;
let byEngine: Ask;
let byIndex: Ask;

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => name === fills.name && index?.changed(left));
  byEngine = askOver();
  byIndex = askOver({
    served: () => {
      const reader = index?.reader();
      return reader && { reader, asOf: () => index?.asOf(), failed: (cause) => index?.failed(cause) };
    },
  });
  await store.insert(fills, some(3000));
});
afterAll(async () => {
  await index?.close();
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const askOver = (more: Partial<QueryOptions> = {}): Ask =>
  openQuery({
    store,
    catalogue: [polymarketTrades],
    coverageOf: async () => WHOLE,
    secret: Buffer.from("test"),
    paramsUnknown: "reject",
    now: () => nowMs,
    ...more,
  });

const some = (count: number) =>
  Array.from({ length: count }, () =>
    fill((next += 1), {
      ts: FILL_START + below(5_000_000),
      wallet: hex(below(WALLETS), 40),
      token_id: tokenId(below(4)),
    }),
  );

function open(): void {
  logged = [];
  index = openIndex({ store, served: servedFills, table: fills, folder, maxBytes: async () => 1e9, thread, log });
}

/** Checks that the pages of each wallet, and one of all wallets, equal the engine's. */
async function checkPages(): Promise<void> {
  for (const body of BODIES) {
    const [wanted, found] = await Promise.all([byEngine, byIndex].map((ask) => ask(body, ANYONE, undefined)));
    expect(saidBy(found as Answer)).toEqual(saidBy(wanted as Answer));
  }
}

/** While rows are pending the index may answer without them, but it does answer. */
const askPages = () => Promise.all(BODIES.map((body) => byIndex(body, ANYONE, undefined)));

/** Waits until the index answers with all stored rows. */
const isWhole = () => expect.poll(() => [index?.reader() !== undefined, index?.behindMs()]).toEqual([true, 0]);

/** Checks that every row equals the stored one, once damage that no query has reached yet is found. */
async function checkAll(how: string): Promise<void> {
  try {
    heldBy(readerNow());
  } catch (cause) {
    expect(isDamaged(cause), `${how}: ${String(cause)}`).toBe(true);
    index?.failed(cause);
  }
  await isWhole();
  expect(heldBy(readerNow()), how).toEqual(await storedFills(store));
}

const readerNow = (): ServingReader => index?.reader() as ServingReader;

async function stop(): Promise<string> {
  await index?.close();
  index = undefined;
  return globSync("*/index.db", { cwd: folder }).map((file) => join(folder, file))[0] as string;
}

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "readers and the writer detect a torn file, and it is rebuilt (round %i)",
  async (round) => {
    if (index === undefined) open();
    await isWhole();
    const file = await stop();
    const whole = readFileSync(file);
    const torn = tear(whole, below);
    writeFileSync(file, torn.bytes);
    open();
    // Rows stored before any query let the writer find the damage first.
    if (round % 2 === 0) await store.insert(fills, some(200));
    await askPages();
    await isWhole();
    await checkPages();
    await isWhole();
    await checkAll(torn.how);
    expect(logged.every(({ err }) => err instanceof Error)).toBe(true);
  },
);

test("detects and logs damage deep in a file when it is read", async () => {
  if (index === undefined) open();
  await isWhole();
  const file = await stop();
  const bytes = readFileSync(file);
  // Changes values and keys of every page but the first, which is read at opening.
  for (let at = 4096 + 2048; at < bytes.length; at += 128) bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
  open();
  await isWhole();
  await checkAll("all sectors");
  expect(logged.map(({ err }) => err).some(isDamaged)).toBe(true);
});
