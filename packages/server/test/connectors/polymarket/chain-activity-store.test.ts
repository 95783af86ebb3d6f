import { numberToHex } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLogs } from "../../../../exchange/src/polymarket/chain/log-query.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import { polymarketActivityChainStream } from "../../../src/connectors/polymarket/activity-chain.ts";
import { activityLogs } from "../../../src/connectors/polymarket/chain/activity-topics.ts";
import { toActivity } from "../../../src/connectors/polymarket/activity/to-activity.ts";
import { tokenFinder } from "../../../src/connectors/polymarket/activity/token-finder.ts";
import { isTradeMove } from "../../../src/connectors/polymarket/chain/logs-wire.ts";
import { logWire } from "../../../src/connectors/polymarket/chain/logs.ts";
import type { TableRows } from "../../../src/definition/connector.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { OpenStore } from "../../../src/store/open-store.ts";
import { polymarketTransfers } from "../../../src/tables/polymarket-transfers.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";
import { blockHash, movedLog } from "./moved-log.ts";

const NOON = Date.UTC(2026, 10, 20, 12);

let store: OpenStore;
let batch: readonly TableRows[];

beforeAll(async () => {
  store = await openTestStore();
  const { chain } = createWorld({
    seed: 3,
    clock: () => NOON,
    days: 0.15,
    events: 40,
    wallets: 200,
    kalshi_markets: 1,
    activity: 2,
  });
  const logs = findLogs(chain, activityLogs, chain.first_block, chain.head(), 1_000_000);
  const secondsOf = (block: number): number => chain.block(block)?.timestamp ?? 0;
  batch = toActivity(
    logs.filter((log) => !isTradeMove(log)).map((log) => logWire.parse(log)),
    secondsOf,
    tokenFinder(),
  ).rows;
});
afterAll(() => store.close());

async function storeAll(): Promise<void> {
  for (const { table, rows } of batch) await store.insert(table, rows);
}

async function counts(): Promise<Record<string, number>> {
  const names = batch.flatMap(({ table }) => [table.name, ...Object.keys(table.copies ?? {})]);
  const all = names.map(async (name) => {
    const [row] = await store.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${name}`));
    return [name, Number(row?.n)] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

test("storing the same rows again changes nothing, and every sort order contains every row", async () => {
  await storeAll();
  const once = await counts();
  for (const { table, rows } of batch) {
    expect(rows.length, table.name).toBeGreaterThan(5);
    for (const name of [table.name, ...Object.keys(table.copies ?? {})]) expect(once[name], name).toBe(rows.length);
  }
  await storeAll();
  expect(await counts()).toEqual(once);
});

const fields = ["tx_hash", "log_index", "wallet", "usd_delta", "token_ids", "token_deltas"];
const textOf = (row: Readonly<Record<string, unknown>>): string => JSON.stringify(fields.map((field) => row[field]));

test("rows are stored as they were read, to the last digit", async () => {
  const changes = batch.find(({ table }) => table.name === "polymarket_position_changes")?.rows ?? [];
  const found = await store.rows<Record<string, unknown>>(
    fromDefinition(
      "SELECT concat('0x', lower(hex(tx_hash))) AS tx_hash, log_index, concat('0x', lower(hex(wallet))) AS wallet, toString(usd_delta) AS usd_delta, arrayMap(id -> toString(id), token_ids) AS token_ids, arrayMap(delta -> toString(delta), token_deltas) AS token_deltas FROM polymarket_position_changes",
    ),
  );
  expect(found.map(textOf).toSorted()).toEqual(changes.map(textOf).toSorted());
});

test("transfers of tokens with eighteen decimals do not prevent storing Polymarket's", async () => {
  const block = 900;
  const values = [5_000_000n, 10n ** 15n, 10n ** 18n, (1n << 62n) - 1n, 10n ** 15n - 1n, 7_000_000n];
  const feed = memoryFeed({
    rpc: (method, params) => {
      if (method === "eth_blockNumber") return numberToHex(block);
      if (method === "eth_getLogs") return values.map((micro, index) => movedLog(block, index, [micro]));
      const number = Number(params[0]);
      const timestamp = numberToHex(NOON / 1000 + 2 * (number - block));
      return { number: numberToHex(number), hash: blockHash(number), parentHash: blockHash(number - 1), timestamp };
    },
  });
  const walked = await collect(polymarketActivityChainStream.pull(pullOptions(feed, { cursor: { block: block - 1 } })));
  expect(walked.cursor).toMatchObject({ block });
  expect(walked.batches.flatMap(({ notices = [] }) => notices)).toMatchObject([{ kind: "upstream_note", count: 3 }]);
  await store.insert(polymarketTransfers, walked.of(polymarketTransfers));
  const found = await store.rows<{ shares: string }>(
    fromDefinition(
      `SELECT toString(shares) AS shares FROM polymarket_transfers WHERE block_number = ${block} ORDER BY log_index`,
    ),
  );
  expect(found.map(({ shares }) => shares)).toEqual(["5", "999999999.999999", "7"]);
});
