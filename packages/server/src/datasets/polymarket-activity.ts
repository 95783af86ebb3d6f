import { flag, hexId, id, int, iso, json, num, text } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { branchesOf, hexOf, isIn, within } from "../definition/filter.ts";
import { bool, choice, condition, dateTime, wallet } from "../definition/param-kinds.ts";
import type { ServedRow } from "../definition/served-dataset.ts";
import { newestOnChainFirst } from "../definition/sorting.ts";
import { given, sql, type Bound, type Named, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketPositionChanges } from "../tables/polymarket-position-changes.ts";
import { polymarketTokens, textOfToken } from "../tables/polymarket-tokens.ts";
import { servedPositionChanges } from "../tables/served-position-changes.ts";
import { listOf } from "./list-of.ts";

const byWallet = copyOf(polymarketPositionChanges, "polymarket_position_changes_by_wallet");
const byCondition = copyOf(polymarketPositionChanges, "polymarket_position_changes_by_condition");

const TOKEN = { type: "object", properties: { token_id: { type: "string" }, shares: { type: "number" } } };
const tokensText = (tokens: Sql): Sql =>
  sql`toJSONString(arrayMap(one -> CAST((one.token_id, toString(one.shares)), 'Tuple(token_id String, shares String)'), ${tokens}))`;
const tokens = sql`arrayMap((token, delta) -> CAST((toString(token), delta), 'Tuple(token_id String, shares Decimal64(6))'), token_ids, token_deltas)`;

/** An id of 32 bytes; all zeros means none and becomes null. */
const maybeId = (column: Sql): Sql => sql`nullIf(${hexOf(column)}, concat('0x', repeat('0', 64)))`;

/** Selects the table's sort order for the query, and the branches to read. */
function wayIn(wallets: Bound | undefined, conditions: Bound | undefined): { start: Named; branches?: Sql[] } {
  if (wallets) return { start: byWallet, branches: branchesOf("wallet", "wallet", wallets) };
  if (conditions) return { start: byCondition, branches: branchesOf("condition_id", "condition", conditions) };
  return { start: polymarketPositionChanges };
}

const NO_ID = `0x${"0".repeat(64)}`;

/** The tokens with their changes as JSON; shares as a number or, as text, in quotes. */
function tokensOf(row: ServedRow, quote: "" | '"'): string {
  const [ids, deltas] = ["token_ids", "token_deltas"].map((column) => String(row.value(column)).split(","));
  if (ids === undefined || deltas === undefined || ids[0] === "") return "[]";
  const items = ids.map((token, index) => `{"token_id":"${token}","shares":${quote}${deltas[index]}${quote}}`);
  return `[${items.join(",")}]`;
}

export const polymarketActivity = defineDataset({
  agentId: 1104,
  name: "polymarket-activity",
  title: "Polymarket splits, merges, conversions and redemptions",
  summary:
    "Wallets' operations on outcome tokens outside the book, with the exact change of tokens and money, newest first. From the chain.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().describe("Wallet whose tokens and money changed."),
    condition_id: condition().list().describe("Market; conversions span several and do not match it."),
    kind: choice("split", "merge", "conversion", "redemption").describe("Kind of operation."),
    is_inner: bool()
      .default("False")
      .describe(
        "Sets that exchanges and adapters create or burn as part of a fill or of another row; omitted by default.",
      ),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
  },
  row: {
    timestamp: iso().describe("Block time, to the second."),
    kind: text().describe("split, merge, conversion or redemption."),
    proxy_wallet: hexId().describe("Wallet whose tokens and money changed, lower case."),
    condition_id: id().maybe("Condition; null for a conversion."),
    slug: text().maybe("Slug of the market; null for a conversion and until it is known."),
    neg_risk_market_id: id().maybe("Neg-risk market of a conversion; null for others."),
    index_set: id().maybe("Bits of the questions whose NO shares were converted; null for others."),
    amount: num("shares").describe("Complete sets, NO shares converted per question, or all shares burnt."),
    usd: num("USD").describe("Money received by the wallet; negative when paid."),
    tokens: json({ type: "array", items: TOKEN }, tokensText).describe(
      "Tokens whose balance changed, with the change in shares; negative when given or burnt.",
    ),
    is_inner: flag().describe("Part of a fill or of another row: exclude it when summing wallets."),
    stakeholder: hexId().describe("Address named in the contract's event: the wallet, or the adapter acting for it."),
    contract: text().describe("conditional_tokens or neg_risk_adapter."),
    transaction_hash: hexId().describe("Transaction."),
    log_index: int().describe("Log index in the block."),
    block_number: int().describe("Block."),
  },
  limit: { default: 100, max: 10_000 },
  order: "timestamp descending, then transaction_hash descending, then log_index descending",
  tables: [polymarketPositionChanges, polymarketTokens],
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  query: (p) => {
    const { start, branches } = wayIn(p.proxy_wallet, p.condition_id);
    return {
      select: {
        timestamp: sql`ts`,
        proxy_wallet: sql`wallet`,
        condition_id: maybeId(sql`condition_id`),
        slug: sql`if(kind = 'conversion', NULL, ${textOfToken("slug", sql`token_ids[1]`)})`,
        neg_risk_market_id: maybeId(sql`market_id`),
        index_set: sql`nullIf(toString(index_set), '0')`,
        usd: sql`usd_delta`,
        tokens,
        transaction_hash: sql`tx_hash`,
      },
      from: sql`${start}`,
      where: [
        given(p.condition_id, (ids) => sql`${isIn("condition_id", "condition", ids)} AND kind != 'conversion'`),
        given(p.kind, (kind) => sql`kind = ${kind}`),
        given(p.is_inner, (isInner) => sql`is_inner = ${isInner}`),
        ...within(sql`ts`, p.start_time, p.end_time),
      ],
      order: newestOnChainFirst,
      storedBy: (snapshot) => sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot})`,
      ...(branches ? { branches } : {}),
    };
  },
  served: {
    table: servedPositionChanges,
    tokens: polymarketTokens,
    withoutToken: { column: "kind", oneOf: ["conversion"] },
    order: newestOnChainFirst,
    fields: {
      timestamp: { column: "ts" },
      proxy_wallet: { column: "wallet" },
      condition_id: { column: "condition_id", nullIf: { column: "condition_id", oneOf: [NO_ID] } },
      slug: { ofToken: "slug" },
      neg_risk_market_id: { column: "market_id", nullIf: { column: "market_id", oneOf: [NO_ID] } },
      index_set: { column: "index_set", nullIf: { column: "index_set", oneOf: ["0"] } },
      usd: { column: "usd_delta" },
      tokens: {
        raw: { json: (row) => JSON.stringify(tokensOf(row, '"')) },
        typed: { json: (row) => tokensOf(row, "") },
      },
      transaction_hash: { column: "tx_hash" },
    },
    // By wallet where wallets are requested, else by condition, else in time order.
    search: (p) => {
      const values = listOf(p.condition_id).filter((one) => one !== NO_ID);
      const conditions = p.condition_id && { column: "condition_id", values };
      const by = p.proxy_wallet ? { column: "wallet", values: listOf(p.proxy_wallet) } : conditions;
      return {
        by,
        from: p.start_time,
        to: p.end_time,
        tests: [
          ...(conditions && by !== conditions ? [{ column: conditions.column, oneOf: conditions.values }] : []),
          ...(p.kind ? [{ column: "kind", oneOf: [String(p.kind.value)] }] : []),
          ...(p.is_inner ? [{ column: "is_inner", oneOf: [String(p.is_inner.value)] }] : []),
        ],
      };
    },
  },
  related: [1002, 1106, 1105],
  examples: [
    { title: "The newest of all wallets", params: {} },
    {
      title: "A wallet's redemptions",
      params: { proxy_wallet: "<redeemer>", kind: "redemption" },
    },
  ],
});
