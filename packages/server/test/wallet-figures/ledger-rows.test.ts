import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { walletLedger } from "../../src/datasets/wallet-ledger.ts";
import { INCOME_KINDS } from "../../src/definition/income-kinds.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { ledgerSql } from "../../src/derivations/ledger-sql.ts";
import {
  ofIncome,
  ofResolutions,
  type Income,
  type LedgerEntry,
  type PayoutDay,
} from "../../src/derivations/wallet-figures/ledger-entry.ts";
import {
  compareLedgerRows,
  ledgerPlaceOf,
  ledgerRows,
  type LedgerAsked,
} from "../../src/derivations/wallet-figures/ledger-rows.ts";
import { LEDGER_KINDS } from "../../src/derivations/wallet/ledger-kinds.ts";
import type { LedgerKind } from "../../src/derivations/wallet/ledger-row.ts";
import { expectPages } from "../fixtures/expect-pages.ts";
import { amountOf } from "../fixtures/folded-positions.ts";
import { openRandomWallets } from "../fixtures/open-random-wallets.ts";
import { randomLedger } from "../fixtures/random-history.ts";
import { RANDOM_DAYS, RANDOM_MARKETS, RANDOM_START } from "../fixtures/random-wallet.ts";
import { table } from "../fixtures/sample-rows.ts";
import { drawOf } from "../serving/random-fills.ts";

const WORLDS = thoroughly(8, 2);
const QUESTIONS = thoroughly(40, 12);
const DAY = 86_400;
const ZEROS = `0x${"0".repeat(64)}`;
const KINDS = [...LEDGER_KINDS, "resolution", ...INCOME_KINDS];
const draw = drawOf(seededRandom());
const { below } = draw;
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
const some = (values: readonly string[]): string[] => [...new Set([pick(values), pick(values), pick(values)])];

type Rows = Readonly<Record<string, readonly InsertRow[]>>;

let world: Awaited<ReturnType<typeof openRandomWallets>>;
beforeAll(async () => void (world = await openRandomWallets()));
afterAll(() => world.close());

/** The ledger as the statement of fills, changes and transfers has it, by wallet. */
async function ledgers(): Promise<ReadonlyMap<string, readonly LedgerEntry[]>> {
  const rows = await world.store.rows<Record<string, string | number>>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS owner, toUnixTimestamp(at) AS second, block_number, log_index, sub, concat('0x', lower(hex(tx_hash))) AS tx, kind, toString(token_id) AS token, condition_id, toString(shares) AS size, toString(usd) AS money, toString(fee_usd) AS fee, toUInt8(is_maker) AS rested FROM (${ledgerSql({ wallet: () => sql`1` })})`,
  );
  const entries = rows.map((row): [string, LedgerEntry] => [
    String(row["owner"]),
    {
      kind: row["kind"] as LedgerKind,
      at: Number(row["second"]),
      block: Number(row["block_number"]),
      log: Number(row["log_index"]),
      sub: Number(row["sub"]),
      tx: String(row["tx"]),
      token: String(row["token"]),
      condition: String(row["condition_id"]),
      shares: amountOf(row["size"]),
      usd: amountOf(row["money"]),
      fee: amountOf(row["fee"]),
      isMaker: Number(row["rested"]) === 1,
    },
  ]);
  const owned = Map.groupBy(entries, ([owner]) => owner);
  return new Map([...owned].map(([owner, each]) => [owner, each.map(([, entry]) => entry)]));
}

/** Resolutions and income of a wallet, from the rows as they were stored. */
function besideLedger(wallet: string, rows: Rows): LedgerEntry[] {
  const own = (name: string): InsertRow[] => (rows[name] ?? []).filter((row) => row["wallet"] === wallet);
  const days = own("wallet_token_days")
    .filter((row) => row["is_gone"] === false)
    .map((row): PayoutDay => ({
      day: Date.parse(String(row["day"])) / 1000 / DAY,
      token: String(row["token_id"]),
      condition: row["condition_id"] === ZEROS ? "" : String(row["condition_id"]),
      firstAt: Number(row["first_at"]),
      payout: row["payout"] === null ? undefined : amountOf(row["payout"]),
    }));
  const told = (rows["polymarket_resolutions"] ?? []).map((row) => ({
    condition: String(row["condition_id"]),
    at: Number(row["ts"]),
    block: Number(row["block_number"]),
    log: Number(row["log_index"]),
    tx: String(row["tx_hash"]),
  }));
  const listed = (rows["polymarket_markets"] ?? []).map((row) => ({
    condition: String(row["condition_id"]),
    at: Date.parse(String(row["closed_date"])) / 1000,
    block: 0,
    log: 0,
    tx: ZEROS,
  }));
  const income = own("polymarket_income").map((row): Income => ({
    kind: row["kind"] as Income["kind"],
    at: Number(row["ts"]),
    tx: String(row["tx_hash"]),
    amount: amountOf(row["amount_usd"]),
    place: Number(row["place"]),
  }));
  const resolutions = new Map([...told, ...listed].map((each) => [each.condition, each]));
  return [...ofResolutions(days, resolutions), ...ofIncome(income)];
}

const iso = (second: number): string => new Date(second * 1000).toISOString();

function question(wallets: readonly string[], seconds: readonly number[]) {
  const second = (): number =>
    (below(2) === 0 ? pick(seconds) : RANDOM_START + below(RANDOM_DAYS * DAY)) + pick([0, 0.5]);
  const [from, to] = [second(), second()].toSorted((a, b) => a - b);
  const asked: LedgerAsked = {
    kind: below(3) === 0 ? pick(KINDS) : undefined,
    conditions: below(4) === 0 ? new Set(some(RANDOM_MARKETS.map(({ condition }) => condition || ZEROS))) : undefined,
    tokens: below(4) === 0 ? new Set(some(["0", ...RANDOM_MARKETS.flatMap(({ tokens }) => tokens)])) : undefined,
    from: below(4) === 0 ? from : undefined,
    to: below(4) === 0 ? to : undefined,
  };
  const params = {
    proxy_wallet: wallets.join(","),
    ...(asked.kind === undefined ? {} : { kind: asked.kind }),
    ...(asked.conditions === undefined ? {} : { condition_id: [...asked.conditions].join(",") }),
    ...(asked.tokens === undefined ? {} : { token_id: [...asked.tokens].join(",") }),
    ...(asked.from === undefined ? {} : { start_time: iso(asked.from) }),
    ...(asked.to === undefined ? {} : { end_time: iso(asked.to) }),
  };
  return { asked, params };
}

test("a ledger's rows are in every byte what the engine answers", { timeout: 240_000 }, async () => {
  const seen = new Set<string>();
  for (let round = 0; round < WORLDS; round += 1) {
    await world.store.run(fromDefinition("TRUNCATE TABLE polymarket_resolutions"));
    await world.store.run(fromDefinition("TRUNCATE TABLE polymarket_resolutions_by_condition"));
    await world.store.run(fromDefinition("TRUNCATE TABLE polymarket_markets"));
    const wallets = [draw.hex(20), draw.hex(20), draw.hex(20)];
    const rows = randomLedger(draw, wallets);
    for (const [name, each] of Object.entries(rows)) await world.store.insert(table(name), each);
    const ledger = await ledgers();
    const entries = new Map(
      wallets.map((wallet) => [wallet, [...(ledger.get(wallet) ?? []), ...besideLedger(wallet, rows)]]),
    );
    const all = [...entries.values()].flat();
    const seconds = all.map(({ at }) => at);
    for (const { kind } of all) seen.add(kind);
    for (let count = 0; count < QUESTIONS; count += 1) {
      const names = some(wallets);
      const { asked, params } = question(names, seconds);
      const made = names.flatMap((name) => ledgerRows(name, entries.get(name) ?? [], world.ofToken, asked));
      const walk = { params, limit: pick([10, 30, 1000]), format: pick(["raw", "typed", "ndjson"] as const) };
      const order = { compare: compareLedgerRows, placeOf: ledgerPlaceOf };
      await expectPages(world.query, walletLedger, walk, { rows: made, ...order });
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(["buy", "sell", "resolution"]));
  expect(INCOME_KINDS.some((kind) => seen.has(kind))).toBe(true);
});
