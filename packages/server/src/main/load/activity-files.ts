import { polymarketNegRiskQuestions } from "../../tables/polymarket-neg-risk-questions.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTransfers } from "../../tables/polymarket-transfers.ts";
import type { BulkFile } from "./bulk-file.ts";
import { parquetSql } from "./parquet-sql.ts";

const { micro, bytes, tokenOf } = parquetSql;

const OPERATIONS =
  "block_time_ms Int64, block_number UInt32, log_index UInt32, tx_hash FixedString(32), wallet FixedString(20), condition_id FixedString(32), token_id_a FixedString(32), token_id_b FixedString(32), neg_risk_market_id FixedString(32), question_index UInt8, kind String, yes_micro Int64, no_micro Int64, usd_micro Int64";
const MARKETS =
  "condition_id String, question_id String, question_index UInt8, neg_risk Bool, neg_risk_market_id String, created_block UInt32, created_block_ms Int64, resolved_block Nullable(UInt32), resolved_block_ms Nullable(Int64), resolved_log_index Nullable(UInt32), resolved_tx String, payout_a Nullable(UInt8), payout_b Nullable(UInt8)";
const NONE = "toFixedString('', 32)";
const IS_CONVERSION = "any(kind) = 'convert'";
const PLACE = { tx_hash: "tx_hash", log_index: "log_index" };
const EVENT = "GROUP BY tx_hash, log_index";
/** (token, shares in millionths) of all that an event changed. */
const CHANGES =
  "arrayFilter(c -> c.2 != 0, arrayFlatten(groupArray([(token_id_a, yes_micro), (token_id_b, no_micro)])))";
/** Who reports outcomes: see reference/polymarket.md §8.1. */
const ORACLES = {
  negRisk: "0xd91e80cf2e7be2e162c6513ced06f1dd0da35296",
  others: "0x157ce2d672854c848c9b79c49a8cc6cc89176a49",
};

const second = (column: string): string => `toDateTime(intDiv(assumeNotNull(${column}), 1000), 'UTC')`;

const positionChanges: BulkFile = {
  files: "operations/*.parquet",
  table: polymarketPositionChanges,
  structure: OPERATIONS,
  rest: `WHERE kind != 'transfer' ${EVENT}`,
  select: {
    ...PLACE,
    ts: second("any(block_time_ms)"),
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

/** A token of a transfer is a row: the generated rows are what one wallet gave and another got of both tokens. */
const transfers = (side: "a" | "b", shares: "yes_micro" | "no_micro"): BulkFile => ({
  files: "operations/*.parquet",
  table: polymarketTransfers,
  structure: OPERATIONS,
  rest: `WHERE kind = 'transfer' AND ${shares} != 0 ${EVENT}`,
  select: {
    ...PLACE,
    ts: second("any(block_time_ms)"),
    place: side === "a" ? "0" : "if(any(yes_micro) = 0, 0, 1)",
    operator: `anyIf(wallet, ${shares} < 0)`,
    from_wallet: `anyIf(wallet, ${shares} < 0)`,
    to_wallet: `anyIf(wallet, ${shares} > 0)`,
    token_id: tokenOf(`any(token_id_${side})`),
    shares: micro(`max(${shares})`),
    block_number: "any(block_number)",
  },
});

const resolutions: BulkFile = {
  files: "markets.parquet",
  table: polymarketResolutions,
  structure: MARKETS,
  rest: "WHERE isNotNull(resolved_block) AND isNotNull(payout_a)",
  select: {
    ts: second("resolved_block_ms"),
    tx_hash: bytes("resolved_tx", 32),
    log_index: "assumeNotNull(resolved_log_index)",
    condition_id: bytes("condition_id", 32),
    oracle: bytes(`if(neg_risk, '${ORACLES.negRisk}', '${ORACLES.others}')`, 20),
    question_id: bytes("question_id", 32),
    payout_numerators: "[toUInt256(assumeNotNull(payout_a)), toUInt256(assumeNotNull(payout_b))]",
    payouts:
      "arrayMap(p -> CAST(toDecimal128(p, 6) / assumeNotNull(payout_a + payout_b), 'Decimal64(6)'), [assumeNotNull(payout_a), assumeNotNull(payout_b)])",
    block_number: "assumeNotNull(resolved_block)",
  },
};

const negRiskQuestions: BulkFile = {
  files: "markets.parquet",
  table: polymarketNegRiskQuestions,
  structure: MARKETS,
  rest: "WHERE neg_risk",
  select: {
    ts: second("created_block_ms"),
    tx_hash: "toFixedString(SHA256(question_id), 32)",
    log_index: "question_index * 2 + 1",
    market_id: bytes("neg_risk_market_id", 32),
    question_index: "question_index",
    question_id: bytes("question_id", 32),
    condition_id: bytes("condition_id", 32),
    block_number: "created_block",
  },
};

/** What happened to tokens outside the book, and what paid. */
export const ACTIVITY_FILES: readonly BulkFile[] = [
  resolutions,
  negRiskQuestions,
  positionChanges,
  transfers("a", "yes_micro"),
  transfers("b", "no_micro"),
];
