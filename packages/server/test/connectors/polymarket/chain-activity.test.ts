import { existsSync, readFileSync } from "node:fs";
import type { Hex } from "viem";
import { padHex } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { findLogs } from "../../../../exchange/src/polymarket/chain/log-query.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { OperationHappening } from "../../../../exchange/src/world/operation-contract.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { activityLogs } from "../../../src/connectors/polymarket/chain/activity-topics.ts";
import { positionId, tokenFinder } from "../../../src/connectors/polymarket/activity/token-finder.ts";
import { toActivity } from "../../../src/connectors/polymarket/activity/to-activity.ts";
import { type ChainLog, logWire } from "../../../src/connectors/polymarket/chain/logs.ts";
import { isTradeMove, logsWire } from "../../../src/connectors/polymarket/chain/logs-wire.ts";
import { toMicro } from "../../../src/connectors/polymarket/exact/values.ts";
import { agents } from "../../../src/connectors/polymarket/activity/contracts.ts";
import { exchangeContracts } from "../../../src/connectors/polymarket/chain/exchange-events.ts";
import { skippedOf } from "../../../src/definition/rows-of.ts";
import { readPage } from "../../../src/definition/read-page.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { movedLog } from "./moved-log.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const USDC_E = "0x2791bca1f2de4661ed88a30c99a7a9449aa84174";
const ONCHAIN = new URL("../../../../../../shared/recorded/polymarket/onchain/", import.meta.url);

let world: World;
let logs: ChainLog[];
let rows: Record<string, readonly InsertRow[]>;

const tokensOf = tokenFinder();
const decimal = (micro: number): string => String(micro / 1e6);
const keyOf = (row: InsertRow): string => `${String(row["tx_hash"])} ${String(row["log_index"])}`;
const decode = (some: readonly ChainLog[]) =>
  Object.fromEntries(
    toActivity(some, (block) => world.chain.block(block)?.timestamp ?? 0, tokensOf).rows.map((one) => [
      one.table.name,
      one.rows,
    ]),
  );

beforeAll(() => {
  world = createWorld({
    seed: 7,
    clock: () => NOON,
    days: 0.5,
    events: 60,
    wallets: 300,
    kalshi_markets: 2,
    activity: 2,
  });
  const { chain, polymarket } = world;
  // Stop once everything that happened is in a block.
  const isSettled = (): boolean =>
    [polymarket.matches, polymarket.operations, polymarket.transfers, polymarket.resolutions].every(
      (list) => (list.at(-1)?.block_number ?? 0) <= chain.head(),
    );
  for (let ms = NOON; !isSettled() && ms < NOON + 600_000; ms += 1000) world.advanceTo(ms);
  expect(isSettled()).toBe(true);
  const { first_block } = world.chain;
  const all = findLogs(world.chain, activityLogs, first_block, world.chain.head(), 1_000_000);
  logs = all.filter((log) => !isTradeMove(log)).map((log) => logWire.parse(log));
  expect(logs.length).toBeLessThan(all.length);
  rows = decode(logs);
});

const add = (map: Map<string, bigint>, key: string, micro: bigint): void =>
  void map.set(key, (map.get(key) ?? 0n) + micro);
const settled = <T extends { block_number: number }>(list: readonly T[]): T[] =>
  list.filter(({ block_number }) => block_number <= world.chain.head());
const changes = (): readonly InsertRow[] => rows["polymarket_position_changes"] ?? [];

/** Changes of the wallet's tokens by an operation, without tokens that stay the same. */
function deltasOf(operation: OperationHappening): Map<string, string> {
  const deltas =
    operation.kind === "convert"
      ? operation.event.markets.map((market) =>
          Math.floor(operation.index_set / 2 ** market.question_index) % 2 === 1
            ? ([market.token_ids[1], -operation.amount_micro] as const)
            : ([market.token_ids[0], operation.amount_micro] as const),
        )
      : operation.market.token_ids.map((token, index) => {
          if (operation.kind === "redeem") return [token, -(operation.amounts_micro[index] ?? 0)] as const;
          return [token, operation.kind === "split" ? operation.amount_micro : -operation.amount_micro] as const;
        });
  return new Map(deltas.filter(([, micro]) => micro !== 0).map(([token, micro]) => [token, decimal(micro)]));
}

function usdOf(operation: OperationHappening): string {
  if (operation.kind === "convert") return decimal(operation.usd_out_micro);
  if (operation.kind === "redeem") return decimal(operation.payout_micro);
  return decimal(operation.kind === "split" ? -operation.amount_micro : operation.amount_micro);
}

describe("activity decoded from a world's logs", () => {
  test("has one row per wallet operation with its exact tokens and money, whoever executed it for the wallet", () => {
    const own = new Map(
      changes()
        .filter((row) => row["is_inner"] !== true)
        .map((row) => [keyOf(row), row]),
    );
    const operations = settled(world.polymarket.operations);
    expect(own.size).toBe(operations.length);
    const kinds = { split: "split", merge: "merge", convert: "conversion", redeem: "redemption" };
    for (const operation of operations) {
      const row = own.get(`${operation.tx_hash} ${operation.log_index}`);
      const deltas = (row?.["token_deltas"] ?? []) as string[];
      const reported = new Map(((row?.["token_ids"] ?? []) as string[]).map((token, index) => [token, deltas[index]]));
      expect([row?.["kind"], row?.["wallet"], row?.["usd_delta"]]).toEqual([
        kinds[operation.kind],
        operation.wallet,
        usdOf(operation),
      ]);
      expect(reported).toEqual(deltasOf(operation));
    }
    expect(new Set(operations.map(({ kind }) => kind)).size).toBe(4);
    expect(operations.filter(({ is_through_adapter }) => is_through_adapter).length).toBeGreaterThan(50);
  });

  test("marks sets that exchanges and adapters split or merge for themselves as inner", () => {
    const inner = changes().filter((row) => row["is_inner"] === true);
    const wallets = new Set(world.polymarket.wallets.map(({ address }) => address as string));
    expect(inner.filter((row) => wallets.has(String(row["wallet"])))).toEqual([]);
    expect(inner.length).toBeGreaterThan(changes().length / 4);
  });

  test("keeps several splits, and several redemptions, of one transaction as separate rows", () => {
    for (const kind of ["split", "redemption"]) {
      const own = changes().filter((row) => row["is_inner"] !== true && row["kind"] === kind);
      const most = Math.max(...[...Map.groupBy(own, (row) => row["tx_hash"]).values()].map((some) => some.length));
      expect(most, kind).toBeGreaterThan(2);
    }
  });

  test("derives a conversion's tokens from its index set and the prepared questions", () => {
    const questions = Map.groupBy(rows["polymarket_neg_risk_questions"] ?? [], (row) => row["market_id"]);
    const conversions = changes().filter((row) => row["kind"] === "conversion");
    expect(conversions.length).toBeGreaterThan(3);
    for (const conversion of conversions) {
      const own = questions.get(conversion["market_id"]) ?? [];
      const tokens = own.map((question) => {
        const isGiven = (BigInt(String(conversion["index_set"])) >> BigInt(Number(question["question_index"]))) & 1n;
        const market = world.polymarket.market(String(question["condition_id"]));
        return market?.token_ids[isGiven === 1n ? 1 : 0];
      });
      expect(new Set(conversion["token_ids"] as string[])).toEqual(new Set(tokens));
    }
  });

  test("contains exactly the transfers between wallets", () => {
    const found = (rows["polymarket_transfers"] ?? []).map((row) =>
      [keyOf(row), row["place"], row["from_wallet"], row["to_wallet"], row["token_id"], row["shares"]].join(" "),
    );
    const truth = settled(world.polymarket.transfers).flatMap(({ tx_hash, log_index, wallet, to_wallet, ...one }) =>
      one.market.token_ids
        .map((token, index) => [token, one.amounts_micro[index] ?? 0] as const)
        .filter(([, micro]) => micro > 0)
        .map(
          ([token, micro], place) =>
            `${tx_hash} ${log_index} ${place} ${wallet} ${to_wallet} ${token} ${decimal(micro)}`,
        ),
    );
    expect(found.toSorted()).toEqual(truth.toSorted());
    expect(truth.length).toBeGreaterThan(20);
  });

  test("contains the world's resolutions", () => {
    const found = new Map((rows["polymarket_resolutions"] ?? []).map((row) => [row["condition_id"], row]));
    const truth = settled(world.polymarket.resolutions);
    expect(found.size).toBe(truth.length);
    for (const { market, payout_numerators, tx_hash } of truth) {
      expect(found.get(market.condition_id)).toMatchObject({
        tx_hash,
        oracle: market.oracle,
        question_id: market.question_id,
        payout_numerators: payout_numerators.map(String),
        payouts: payout_numerators.map((one) => decimal((one * 1e6) / (payout_numerators[0] + payout_numerators[1]))),
      });
    }
  });

  test("forms a ledger with the fills: cash and holdings of each wallet match the world's", () => {
    const cash = new Map<string, bigint>();
    const held = new Map<string, bigint>();
    for (const { makers, taker } of world.polymarket.matches) {
      for (const leg of [...makers, taker]) {
        const sign = leg.side === "BUY" ? 1 : -1;
        add(cash, leg.wallet, BigInt(-sign * leg.usd_micro - leg.fee_micro));
        add(held, `${leg.wallet} ${leg.token_id}`, BigInt(sign * leg.shares_micro));
      }
    }
    for (const row of changes().filter((one) => one["is_inner"] !== true)) {
      const wallet = String(row["wallet"]);
      const deltas = row["token_deltas"] as string[];
      add(cash, wallet, toMicro(String(row["usd_delta"])));
      for (const [index, token] of (row["token_ids"] as string[]).entries()) {
        add(held, `${wallet} ${token}`, toMicro(deltas[index] ?? ""));
      }
    }
    for (const row of rows["polymarket_transfers"] ?? []) {
      const shares = toMicro(String(row["shares"]));
      add(held, `${String(row["from_wallet"])} ${String(row["token_id"])}`, -shares);
      add(held, `${String(row["to_wallet"])} ${String(row["token_id"])}`, shares);
    }
    for (const { address, cash_pnl_micro } of world.walletTruth()) {
      expect(cash.get(address) ?? 0n, address).toBe(BigInt(cash_pnl_micro));
      for (const { market, outcome, shares_micro } of world.polymarket.holdingsOf(address)) {
        expect(held.get(`${address} ${market.token_ids[outcome]}`) ?? 0n).toBe(BigInt(shares_micro));
      }
    }
  });

  test("yields the same rows if decoded block by block, in any order", () => {
    const blocks = [...Map.groupBy(logs, (log) => log.blockNumber).values()];
    const parts = blocks.map((own) => decode(own.toReversed())["polymarket_position_changes"] ?? []);
    expect(parts.flat().map(keyOf).toSorted()).toEqual(changes().map(keyOf).toSorted());
  });
});

/** A log's data with another value for the word at a position. */
const withWord = (data: string, place: number, value: bigint): string =>
  data.slice(0, 2 + 64 * place) + value.toString(16).padStart(64, "0") + data.slice(2 + 64 * (place + 1));

/** A transfer by which an exchange settles a trade. */
const trade = (block: number) => {
  const { topics, ...log } = movedLog(block, 1, [5n]);
  return { ...log, topics: topics.with(1, padHex(exchangeContracts.v2, { size: 32 })) };
};

describe("token transfers", () => {
  test("are read at any batch length", () => {
    const values = Array.from({ length: 600 }, (_, place) => BigInt(place % 3));
    const found = decode([logWire.parse(movedLog(900, 1, values))])["polymarket_transfers"] ?? [];
    expect(found.length).toBe(400);
    expect(found.at(-1)).toMatchObject({ place: 599, token_id: "600", shares: "0.000002" });
  });

  test("that settle trades are skipped and counted, even if the rest of their log is malformed", () => {
    const agent = padHex([...agents][0] as Hex, { size: 32 });
    const ofAgent = { ...trade(903), topics: trade(903).topics.with(3, agent) };
    const page = readPage(logsWire, [movedLog(900, 1, [5n]), trade(901), { ...trade(902), data: "0x" }, ofAgent]);
    expect(page).toMatchObject({ kind: "whole", data: [{ blockNumber: 900 }, { blockNumber: 903 }] });
    expect(skippedOf(page.kind === "whole" ? page.data : [])).toBe(2);
  });

  test.each([
    ["a length that there is no room for", 2, 2n ** 255n],
    ["an offset beyond the data", 1, 2n ** 255n],
    ["lists of two lengths", 2, 1n],
  ])("with %s are refused with their transaction, and no others are", (_name, place, value) => {
    const wrong = movedLog(900, 2, [1n, 2n]);
    const page = readPage(logsWire, [movedLog(900, 1, [5n]), { ...wrong, data: withWord(wrong.data, place, value) }]);
    expect(page).toMatchObject({
      kind: "partial",
      data: [{ logIndex: 1 }],
      refused: [{ key: { tx_hash: wrong.transactionHash } }],
    });
  });
});

describe("position ids", () => {
  test("match the documented vector", () => {
    const condition = "0x36734a624c2b5aeee164162536fe811bb82677ad927050b50cc46838fe67d494";
    expect([positionId(USDC_E, condition, 1n), positionId(USDC_E, condition, 2n)]).toEqual([
      93464131606378261331338471789927052245553593563803080458303202347805601920785n,
      54587822891934720131108562415940344642217988714969692821005775518682216077925n,
    ]);
  });

  test.skipIf(!existsSync(ONCHAIN))(
    "match the recorded neg-risk tokens (skipped when ../shared/recorded is absent)",
    () => {
      const { collateral, vectors } = JSON.parse(
        readFileSync(new URL("negrisk_token_id_vectors.json", ONCHAIN), "utf8"),
      ) as { collateral: string; vectors: { conditionId: string; indexSet: number; tokenId: string }[] };
      expect(vectors.length).toBeGreaterThan(10);
      for (const { conditionId, indexSet, tokenId } of vectors) {
        expect(String(positionId(collateral.toLowerCase(), conditionId, BigInt(indexSet)))).toBe(tokenId);
      }
    },
  );
});
