import { describe, expect, test } from "vitest";
import { ADDRESSES } from "../../src/world/chain/addresses.ts";
import type { ChainLog } from "../../src/world/chain-contract.ts";
import type { OperationHappening } from "../../src/world/operation-contract.ts";
import { smallWorld } from "./small-world.ts";

const { world } = smallWorld();
// The last redemptions may still wait for their block.
world.advanceTo(world.reached() + 60_000);
const { chain, polymarket } = world;
const logs = chain.logs(chain.first_block, chain.head());
const at = (block: number, index: number): ChainLog | undefined => byPlace.get(`${block} ${index}`);
const byPlace = new Map(logs.map((log) => [`${log.block_number} ${log.log_index}`, log]));
const settled = <T extends { block_number: number }>(list: readonly T[]): T[] =>
  list.filter(({ block_number }) => block_number <= chain.head());

/** Every balance that results from the transfers, by holder and token. */
function balances(): Map<string, bigint> {
  const held = new Map<string, bigint>();
  const move = (holder: unknown, id: bigint, value: bigint): void => {
    const key = `${String(holder)} ${id}`;
    held.set(key, (held.get(key) ?? 0n) + value);
  };
  for (const { event, args } of logs) {
    if (event !== "TransferSingle" && event !== "TransferBatch") continue;
    const ids = event === "TransferSingle" ? [args["id"] as bigint] : (args["ids"] as bigint[]);
    const values = event === "TransferSingle" ? [args["value"] as bigint] : (args["values"] as bigint[]);
    for (const [i, id] of ids.entries()) {
      move(args["from"], id, -(values[i] ?? 0n));
      move(args["to"], id, values[i] ?? 0n);
    }
  }
  return held;
}

/** Token balance changes of an operation, for its wallet. */
function deltasOf(operation: OperationHappening): [token: string, micro: number][] {
  if (operation.kind === "convert") {
    return operation.event.markets.map((market) =>
      Math.floor(operation.index_set / 2 ** market.question_index) % 2 === 1
        ? [market.token_ids[1], -operation.amount_micro]
        : [market.token_ids[0], operation.amount_micro],
    );
  }
  const { token_ids } = operation.market;
  if (operation.kind === "redeem") return token_ids.map((token, i) => [token, -(operation.amounts_micro[i] ?? 0)]);
  const sign = operation.kind === "split" ? 1 : -1;
  return token_ids.map((token) => [token, sign * operation.amount_micro]);
}

describe("the token transfers of the chain", () => {
  const held = balances();

  test("leave each wallet with the net of its trades, operations and transfers", () => {
    const owned = new Map<string, bigint>();
    const move = (wallet: string, token: string, micro: number): void => {
      const key = `${wallet} ${token}`;
      owned.set(key, (owned.get(key) ?? 0n) + BigInt(micro));
    };
    for (const { makers, taker } of settled(polymarket.matches)) {
      for (const leg of [...makers, taker]) {
        move(leg.wallet, leg.token_id, leg.side === "BUY" ? leg.shares_micro : -leg.shares_micro);
      }
    }
    for (const operation of settled(polymarket.operations)) {
      for (const [token, micro] of deltasOf(operation)) move(operation.wallet, token, micro);
    }
    for (const { wallet, to_wallet, market, amounts_micro } of settled(polymarket.transfers)) {
      for (const i of [0, 1] as const) {
        move(wallet, market.token_ids[i], -amounts_micro[i]);
        move(to_wallet, market.token_ids[i], amounts_micro[i]);
      }
    }
    expect([...owned].filter(([key, value]) => (held.get(key) ?? 0n) !== value)).toEqual([]);
    expect(owned.size).toBeGreaterThan(1000);
  });

  test("leave no balance with exchanges and adapters", () => {
    const { zero, no_token_burn, ...others } = ADDRESSES;
    const passing = new Set<string>(Object.values(others));
    expect([zero, no_token_burn].every((address) => [...held.keys()].some((key) => key.startsWith(address)))).toBe(
      true,
    );
    expect([...held].filter(([key, value]) => passing.has(key.split(" ")[0] ?? "") && value !== 0n)).toEqual([]);
  });
});

describe("the logs of the chain", () => {
  const operations = settled(polymarket.operations);
  const names = {
    split: "PositionSplit",
    merge: "PositionsMerge",
    convert: "PositionsConverted",
    redeem: "PayoutRedemption",
  };

  test("place each operation where the truth says, by its own wallet or a V2 adapter", () => {
    const wrong = operations.filter((operation) => {
      const log = at(operation.block_number, operation.log_index);
      const actor = log?.args["stakeholder"] ?? log?.args["redeemer"];
      const adapters: unknown[] = [ADDRESSES.collateral_adapter, ADDRESSES.neg_risk_collateral_adapter];
      const isRight = operation.is_through_adapter ? adapters.includes(actor) : actor === operation.wallet;
      return log?.event !== names[operation.kind] || log.tx_hash !== operation.tx_hash || !isRight;
    });
    expect(wrong).toEqual([]);
    expect(new Set(operations.map(({ is_through_adapter }) => is_through_adapter))).toEqual(new Set([true, false]));
  });

  test("place several splits, and several redemptions, in one transaction", () => {
    for (const kind of ["split", "redeem"]) {
      const counts = Map.groupBy(
        operations.filter((operation) => operation.kind === kind),
        (operation) => operation.tx_hash,
      );
      const most = Math.max(...[...counts.values()].map((own) => own.length));
      expect(most, kind).toBeGreaterThan(2);
    }
    expect(new Set(chain.transactions(chain.head())).size).toBe(chain.transactions(chain.head()).length);
  });

  test("name exchanges, the NegRiskAdapter and collateral adapters as stakeholders of inner splits", () => {
    const own = new Set(operations.map(({ block_number, log_index }) => `${block_number} ${log_index}`));
    const inner = logs.filter(
      (log) => log.event === "PositionSplit" && !own.has(`${log.block_number} ${log.log_index}`),
    );
    expect(new Set(inner.map((log) => log.args["stakeholder"]))).toEqual(
      new Set([
        ADDRESSES.exchange_v1,
        ADDRESSES.neg_risk_exchange_v1,
        ADDRESSES.neg_risk_adapter,
        ADDRESSES.collateral_adapter,
        ADDRESSES.neg_risk_collateral_adapter,
      ]),
    );
  });

  test("place resolutions and transfers between wallets where the truth says", () => {
    for (const { block_number, log_index, market } of settled(polymarket.resolutions)) {
      const log = at(block_number, log_index);
      expect([log?.event, log?.args["conditionId"]]).toEqual(["ConditionResolution", market.condition_id]);
    }
    const transfers = settled(polymarket.transfers);
    for (const { block_number, log_index, wallet, to_wallet } of transfers) {
      const args = at(block_number, log_index)?.args;
      expect([args?.["operator"], args?.["from"], args?.["to"]]).toEqual([wallet, wallet, to_wallet]);
    }
    expect(transfers.length).toBeGreaterThan(20);
  });

  test("can be filtered without changing their positions", () => {
    const filled = chain.logs(chain.first_block, chain.head(), (log) => log.event === "OrderFilled");
    expect(filled).toEqual(logs.filter((log) => log.event === "OrderFilled"));
  });
});
