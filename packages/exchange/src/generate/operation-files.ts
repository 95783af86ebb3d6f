import { columnSql, type TableFile } from "./table-file.ts";

const { micro, second, tokenOf } = columnSql;

const NONE = "toFixedString('', 32)";
const IS_CONVERSION = "any(kind) = 'convert'";
const PLACE = { ts: second("any(block_time_ms)"), tx_hash: "tx_hash", log_index: "log_index" };
/** (token, shares in millionths) of all changes of an event. */
const CHANGES =
  "arrayFilter(c -> c.2 != 0, arrayFlatten(groupArray([(token_id_a, yes_micro), (token_id_b, no_micro)])))";

const positionChanges: TableFile = {
  file: "polymarket_position_changes/part-#.parquet",
  rest: "WHERE kind != 'transfer' GROUP BY tx_hash, log_index",
  select: {
    ...PLACE,
    kind: "transform(any(kind), ['convert', 'redeem'], ['conversion', 'redemption'])",
    wallet: "any(wallet)",
    stakeholder: "any(wallet)",
    is_inner: "false",
    contract: `if(any(neg_risk_market_id) = ${NONE}, 'conditional_tokens', 'neg_risk_adapter')`,
    condition_id: `if(${IS_CONVERSION}, ${NONE}, any(condition_id))`,
    market_id: `if(${IS_CONVERSION}, any(neg_risk_market_id), ${NONE})`,
    index_set: "sumIf(bitShiftLeft(toUInt256(1), question_index), kind = 'convert' AND no_micro < 0)",
    amount: micro("if(any(kind) = 'redeem', -sum(yes_micro + no_micro), max(greatest(abs(yes_micro), abs(no_micro))))"),
    usd_delta: micro("sum(usd_micro)"),
    token_ids: `arrayMap(c -> ${tokenOf("c.1")}, ${CHANGES})`,
    token_deltas: `arrayMap(c -> ${micro("c.2")}, ${CHANGES})`,
    block_number: "any(block_number)",
  },
};

/** One row per transferred token, joining the sender's and the receiver's row. */
const transfers: TableFile = {
  file: "polymarket_transfers/part-#.parquet",
  rest: "ARRAY JOIN [(token_id_a, yes_micro, 0), (token_id_b, no_micro, 1)] AS moved WHERE kind = 'transfer' AND moved.2 != 0 GROUP BY tx_hash, log_index, moved.3",
  select: {
    ...PLACE,
    place: "toUInt32(moved.3 = 1 AND any(yes_micro) != 0)",
    operator: "anyIf(wallet, moved.2 < 0)",
    from_wallet: "anyIf(wallet, moved.2 < 0)",
    to_wallet: "anyIf(wallet, moved.2 > 0)",
    token_id: tokenOf("any(moved.1)"),
    shares: micro("max(moved.2)"),
    block_number: "any(block_number)",
  },
};

/** Files of token operations outside the book. */
export const OPERATION_FILES: readonly TableFile[] = [positionChanges, transfers];
