import { expect, test } from "vitest";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { auditRange } from "../../src/ingest/fold/audit-fold.ts";
import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { keyRanges } from "../../src/ingest/fold/key-sql.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";

const { signal } = new AbortController();
const CLOSED = "2026-12-31";
const [ANN, BOB] = [hex(1, 40), hex(2, 40)];
const [ALL] = [...keyRanges(1, 20)];

test("an audit finds and repairs rows that differ from the ledger, and does not report recently changed ones", async () => {
  const store = await openTestStore();
  const fills = [1, 2, 3, 4].map((index) =>
    fill(index, { wallet: index % 2 === 0 ? ANN : BOB, ts: FILL_START + index * 90_000 }),
  );
  await store.insert(table("polymarket_fills"), fills);
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  const engine = { fold: walletFold, store, read: foldReader(store), checkpoints: openCheckpoints(walletFold) };
  await foldAll(engine, { sinceMs: 0, closed: CLOSED, signal });
  if (ALL === undefined) throw new TypeError("there is one range");
  // Rows are stamped by this machine's clock, so an hour later none counts as recent.
  const audit = (laterMs: number) => auditRange(engine, ALL, { closed: CLOSED, nowMs: Date.now() + laterMs, signal });
  const held = async () =>
    (await store.rows(fromDefinition("SELECT * EXCEPT version FROM wallet_days FINAL ORDER BY day, wallet"))).map(
      (row) => JSON.stringify(row),
    );
  const right = await held();
  expect(right.length).toBeGreaterThan(2);
  expect(await audit(0)).toEqual({ keys: 2, different: [], recent: 0 });
  expect(await held()).toEqual(right);

  const spoil = async (): Promise<void> => {
    const wrong = "* REPLACE (cash_usd + 1 AS cash_usd, content + 1 AS content, version + 1 AS version)";
    for (const name of ["wallet_days", "wallet_days_by_wallet"])
      await store.run(
        fromDefinition(
          `INSERT INTO ${name} SELECT ${wrong} FROM ${name} FINAL WHERE hex(wallet) = '${ANN.slice(2)}' ORDER BY day LIMIT 1`,
        ),
      );
    expect(await held()).not.toEqual(right);
  };
  await spoil();
  const nowMs = Date.now();
  // Its fills were stored within the last minutes.
  expect(await auditRange(engine, ALL, { closed: CLOSED, nowMs, signal })).toEqual({
    keys: 2,
    different: [],
    recent: 1,
  });
  expect(await held()).toEqual(right);
  await store.alter(
    fromDefinition("ALTER TABLE polymarket_fills UPDATE ingested_at = ingested_at - INTERVAL 1 HOUR WHERE 1"),
  );
  for (const copy of Object.keys(table("polymarket_fills").copies ?? {}))
    await store.alter(fromDefinition(`ALTER TABLE ${copy} UPDATE ingested_at = ingested_at - INTERVAL 1 HOUR WHERE 1`));
  await spoil();
  expect(await audit(-1)).toEqual({ keys: 2, different: [ANN], recent: 0 });
  expect(await held()).toEqual(right);
  await store.close();
});
