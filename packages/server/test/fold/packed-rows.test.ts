import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/store/open-store.ts";
import { createDayWriters } from "../../src/derivations/wallet/day-writers.ts";
import { foldWallet } from "../../src/derivations/wallet/fold-wallet.ts";
import type { LedgerRow } from "../../src/derivations/wallet/ledger-row.ts";
import { NOTHING_BEFORE } from "../../src/derivations/wallet/wallet-state.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { walletTokenDays } from "../../src/tables/wallet-token-days.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { unpackRows } from "../fixtures/unpack-rows.ts";
import { packRows } from "../fixtures/pack-rows.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { keyColumns } from "../../src/ingest/fold/key-sql.ts";
import { withTombstones } from "../../src/ingest/fold/with-tombstones.ts";

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const START = Date.UTC(2026, 0, 1) / 1000;
const WALLET = `0x${"a7".repeat(20)}`;
const CONDITION = `0x${"c4".repeat(32)}`;
const TOKEN = "102936224134271070189104847090829839924697394514566827387181305960175107677216";

const ledgerRow = (log: number, shares: bigint, usd: bigint): LedgerRow => ({
  kind: shares > 0n ? "buy" : "sell",
  at: START + log * 30_000,
  block: log,
  log,
  sub: 0,
  tx: `tx${log}`,
  token: TOKEN,
  condition: CONDITION,
  shares,
  usd,
  fee: 1n,
  isMaker: log === 2,
  isFeeKnown: true,
});

/** Buys, sells and buys again: lots, a closed position, an open one, and two days without an event. */
function madeRows() {
  const into = createDayWriters();
  foldWallet(
    {
      wallet: WALLET,
      opening: NOTHING_BEFORE,
      rows: [
        ledgerRow(1, 7_500_000n, -3_000_001n),
        ledgerRow(2, -7_500_000n, 5_000_000n),
        ledgerRow(3, 10n ** 13n, -(10n ** 12n)),
        ledgerRow(4, 3_000_000n, -999_999n),
      ],
      resolutions: new Map(),
      marksOf: () => ({ days: Uint16Array.of(0), marks: Float64Array.of(123_456) }),
      from: "2026-01-01",
      through: "2026-01-04",
      closed: "2026-01-04",
    },
    into.of(WALLET),
  );
  return [
    { table: walletTokenDays, packed: into.tokenDays.packed() },
    { table: walletDays, packed: into.walletDays.packed() },
  ];
}

test("packed rows are stored like the same rows sent as JSON, which are then known", async () => {
  for (const { table, packed } of madeRows()) {
    const rows = unpackRows(table, packed);
    expect(rows.length).toBeGreaterThan(0);
    expect(await store.insert(table, packed)).toMatchObject({ stored: rows.length, known: 0 });
    expect(await store.insert(table, rows)).toMatchObject({ stored: 0, known: rows.length });
    expect(await store.insert(table, packed)).toMatchObject({ stored: 0, known: rows.length });
    const gone = Object.assign({}, rows[0], { is_gone: true });
    expect(await store.insert(table, [gone])).toMatchObject({ stored: 1, known: 0 });
  }
});

test("a row's key as the engine reads it is the prefix of the packed row", async () => {
  for (const { table, packed } of madeRows()) {
    await store.insert(table, packed);
    const { columns, length } = keyColumns(table);
    const days = sql`day < toDate('2026-02-01')`;
    const stored = await store.read(
      sql`SELECT ${columns} FROM ${fromDefinition(table.name)} FINAL WHERE NOT is_gone AND ${days}`,
      { format: "RowBinary", settings: {} },
    );
    const keys = packed.starts.map((start) => packed.bytes.toString("hex", start, start + length));
    expect(stored.length).toBeGreaterThan(0);
    for (let place = 0; place < stored.length; place += length)
      expect(keys).toContain(stored.toString("hex", place, place + length));
    expect(packRows(table, unpackRows(table, packed))).toEqual(packed);
  }
});

test("tombstones are stored with the rows, and equal those sent as JSON", async () => {
  for (const { table, packed } of madeRows()) {
    const [first] = unpackRows(table, packed);
    const days = ["2026-02-01", "2026-02-02"];
    const { length } = keyColumns(table);
    const gone = days.map((day) => packRows(table, [{ ...first, day }]).bytes.toString("latin1", 0, length));
    const keys = days.map((day) =>
      Object.assign(Object.fromEntries(table.key.map((column) => [column, first?.[column]])), { day }),
    );
    const all = withTombstones(table, packed, gone);
    const tombstones = keys.map((key) => Object.assign({}, key, { is_gone: true }));
    expect(unpackRows(table, all).slice(packed.starts.length)).toMatchObject(tombstones);
    expect((await store.insert(table, all)).stored).toBeGreaterThanOrEqual(2);
    expect(await store.insert(table, tombstones)).toMatchObject({ stored: 0, known: 2 });
  }
});
