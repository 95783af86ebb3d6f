import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { createRipeWork } from "../../src/ingest/fold/fold-cycles.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";

const MINUTE_MS = 60_000;
const NAMED = Date.parse("2026-11-20T12:00:00Z");
const WRITTEN = NAMED - 10 * MINUTE_MS;
const [ANN, BOB, CAT] = ["aa", "bb", "cc"].map((byte) => byte.repeat(20)) as [string, string, string];

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await row(ANN, 1, "2026-11-18", "", WRITTEN);
  await row(ANN, 1, "2026-11-19", "", WRITTEN);
  await row(BOB, 2, "2026-11-19", "", WRITTEN);
  await row(BOB, 2, "2026-11-19", "ab", NAMED + 1);
  await row(CAT, 3, "2026-11-19", "", WRITTEN);
  await name(1, NAMED);
  await name(2, NAMED);
});
afterAll(() => store.close());

const run = (text: string): Promise<unknown> => store.run(fromDefinition(text));
const micros = (ms: number): string => `${ms}000`;
const row = (wallet: string, token: number, day: string, condition: string, ms: number): Promise<unknown> =>
  run(`INSERT INTO wallet_token_days_by_token (wallet, day, token_id, condition_id, version)
    SELECT unhex('${wallet}'), '${day}', ${token}, unhex('${condition.repeat(32)}'), ${micros(ms)}`);
const name = (token: number, ms: number): Promise<unknown> =>
  run(`INSERT INTO polymarket_tokens (token_id, condition_id, outcome_index, outcome, slug, version)
    SELECT ${token}, unhex('${"ab".repeat(32)}'), 0, 'Yes', 'a', ${micros(ms)}`);
const ripe = (sinceMs: number) => walletFold.findRipe(foldReader(store), sinceMs);

test("finds rows without a market once their token is named, until other rows replace them", async () => {
  const ann = new Map([[`0x${ANN}`, "2026-11-18"]]);
  expect(await ripe(0)).toEqual(ann);
  expect(await ripe(NAMED)).toEqual(ann);
  expect(await ripe(NAMED + 1)).toEqual(new Map());
  await row(CAT, 1, "2026-11-20", "", NAMED + 5);
  expect([...(await ripe(NAMED + 1)).keys()].toSorted()).toEqual([`0x${ANN}`, `0x${CAT}`]);
});

test("checks all rows first, once an hour and after the clock went back, else those newer than the last check", async () => {
  const clock = { at: 0, ms: NAMED };
  const requested: number[] = [];
  const fold = {
    ...walletFold,
    findRipe: async (_read: unknown, sinceMs: number) => (requested.push(sinceMs), new Map<string, string>()),
  };
  const engine = { fold, store, read: foldReader(store), checkpoints: openCheckpoints(walletFold) };
  const options = { clock: { now: () => clock.ms, monotonicMs: () => clock.at } };
  const work = createRipeWork({ engine, options, days: { closed: () => "2026-11-19" } } as unknown as Parameters<
    typeof createRipeWork
  >[0]);
  const look = async (laterMs: number, jumpMs = 0): Promise<number | undefined> => {
    [clock.at, clock.ms] = [clock.at + laterMs, clock.ms + laterMs + jumpMs];
    await work(new AbortController().signal);
    return requested.at(-1);
  };
  expect(await look(0)).toBe(0);
  expect(await look(10_000)).toBe(NAMED - MINUTE_MS);
  expect(await look(10_000)).toBe(NAMED + 10_000 - MINUTE_MS);
  expect(await look(10_000, -MINUTE_MS)).toBe(0);
  expect(await look(10_000)).toBe(NAMED - 30_000 - MINUTE_MS);
  expect(await look(60 * MINUTE_MS)).toBe(0);
});
