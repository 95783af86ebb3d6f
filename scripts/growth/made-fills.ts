import { fromDefinition, type Sql } from "../../packages/server/src/definition/sql.ts";

/** Of how many fills in all, over half a year, and so how many wallets and tokens they have. */
export type MadeScale = { readonly fills: number; readonly wallets: number; readonly slots: number };

const DAYS = 180;
const START = "2026-01-01 00:00:00";
/** As many as the paper world of 20 million fills has. */
const FILLS_A_WALLET = 333;
const FILLS_A_TOKEN = 125;
const TOKEN_DAYS = 5;
/**
 * A rank is drawn as (e^6u − 1) / (e^6 − 1) of all. The busiest 1, 2, 5, 10, 20, 50 % then have 27, 37, 51, 62, 73, 88 %
 * of the fills; in a paper world of 383 thousand fills wallets have 24, 40, 50, 60, 70, 86 and tokens 26, 36, 53, 66, 76, 91.
 */
const SKEW = 6;

export const madeScale = (fills: number): MadeScale => ({
  fills,
  wallets: Math.ceil(fills / FILLS_A_WALLET),
  // Both tokens of a market beside each other.
  slots: 2 * Math.ceil(fills / FILLS_A_TOKEN / (DAYS / TOKEN_DAYS) / 2),
});

/** 32 bytes that nothing compresses. */
const bytes32 = (of: string, salt: number): string =>
  `toFixedString(concat(sipHash128(${of}, ${salt}), sipHash128(${of}, ${salt}, 1)), 32)`;
const ranked = (count: number, of: string, salt: number): string =>
  `least(${count - 1}, toUInt64(${count} * (exp(${SKEW} * (cityHash64(${of}, ${salt}) / 18446744073709551616.)) - 1) / ${Math.exp(SKEW) - 1}))`;
const walletOf = (rank: string): string => `toFixedString(substring(${bytes32(rank, 20)}, 1, 20), 20)`;
const tokenOf = (number: string): string => `reinterpretAsUInt256(${bytes32(number, 21)})`;
/** Which life of a slot it is: tokens of a slot follow each other, markets begin at any time. */
const lifeAt = (seconds: string, slot: string): string =>
  `toUInt64(${seconds} / ${TOKEN_DAYS * 86_400} + (intDiv(${slot}, 2) * 0.6180339887 - floor(intDiv(${slot}, 2) * 0.6180339887)))`;

/** Made-up fills, two legs of a match beside each other, by their numbers (`numbers`: SQL with a column `number`). */
export function madeFills({ fills, wallets, slots }: MadeScale, numbers: string): string {
  return `SELECT toDateTime('${START}', 'UTC') + at AS ts, ${bytes32("match", 1)} AS tx_hash, ${bytes32("leg", 2)} AS order_hash,
  ${walletOf("rank")} AS wallet, ${tokenOf(`life * ${slots} + slot`)} AS token_id,
  CAST(1 + (cityHash64(match, 5) + leg) % 2 AS Enum8('BUY' = 1, 'SELL' = 2)) AS side, CAST(1 + leg % 2 AS Enum8('maker' = 1, 'taker' = 2, 'unknown' = 3)) AS role,
  1 + cityHash64(match, 6) % 3 AS match_kind, toDecimal64(cents / 100, 6) AS shares, toDecimal64(cents * price / 10000, 6) AS usd,
  toDecimal64(if(leg % 2 = 1, cents * price / 500000, 0), 6) AS fee_usd, toUInt32(80000000 + intDiv(at, 2)) AS block_number,
  toUInt32(leg * 3 % 500) AS log_index, 2 AS source, now64(6) AS ingested_at
FROM (SELECT *, ${lifeAt("at", "slot")} AS life FROM (
  SELECT number AS leg, intDiv(number, 2) AS match, toUInt32(match * ${(2 * DAYS * 86_400) / fills}) AS at,
    ${ranked(wallets, "leg", 3)} AS rank, ${ranked(slots, "match", 4)} AS slot,
    1 + cityHash64(match, 7) % 50000 AS cents, 1 + cityHash64(match, 8) % 99 AS price
  FROM (${numbers})))`;
}

/** The tokens that fills from and up to a number have, or may have, with their markets. */
export function madeTokens({ fills, slots }: MadeScale, from: number, to: number): Sql {
  const lives = (at: number): number => (at === 0 ? 0 : Math.floor((at / fills) * (DAYS / TOKEN_DAYS)) + 2);
  const [first, count] = [lives(from) * slots, (lives(to) - lives(from)) * slots];
  return fromDefinition(
    `INSERT INTO polymarket_tokens SELECT ${tokenOf("number")} AS token_id, ${bytes32("intDiv(number, 2)", 22)} AS condition_id, number % 2 AS outcome_index,
    if(number % 2 = 0, 'Yes', 'No') AS outcome, concat('will-made-up-market-', toString(intDiv(number, 2)), '-happen') AS slug, 1 AS version, 0 AS content FROM numbers(${first}, ${count})`,
  );
}

export type MadeIds = {
  readonly wallet: string;
  readonly token: string;
  readonly condition: string;
  readonly day: string;
};

/** Whose fills are asked for: those of fills drawn evenly from the first so many, so busy ones more often. */
export function madeSample(scale: MadeScale, of: number, count: number): Sql {
  const numbers = `SELECT cityHash64(number, 30) % ${of} AS number FROM numbers(${count})`;
  return fromDefinition(
    `SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(token_id) AS token, dictGet('polymarket_token_info', 'condition_id', token_id) AS condition,
    toString(toDate(ts)) AS day FROM (${madeFills(scale, numbers)})`,
  );
}

/** The wallets with most fills. */
export const busiestWallets = (count: number): Sql =>
  fromDefinition(`SELECT concat('0x', lower(hex(${walletOf("number")}))) AS wallet FROM numbers(${count})`);
