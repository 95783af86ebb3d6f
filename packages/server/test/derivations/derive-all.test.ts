import { openCheckpointFolder } from "../../src/ingest/fold/checkpoints.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayDerivations, derivations, folds, refreshes } from "../../src/catalogue.ts";
import type { SqlDerivation } from "../../src/definition/derivation.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { deriveAll, type Shown } from "../../src/main/derive/derive-all.ts";
import { madeBy, nameOf, type DerivedPart } from "../../src/main/derive/derive-buckets.ts";
import { insertSamples } from "../fixtures/sample-rows.ts";
import { openEngines } from "../ingest/open-engines.ts";

const parts: readonly DerivedPart[] = [
  ...refreshes.map((refresh) => ({ kind: "refresh" as const, refresh })),
  ...dayDerivations.map((derivation) => ({ kind: "days" as const, derivation })),
  ...folds.map((fold) => ({ kind: "fold" as const, fold })),
  ...derivations.map((derivation) => ({ kind: "buckets" as const, derivation })),
];

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
  await insertSamples(engines.store);
});
afterAll(() => engines.close());

async function derive(some: readonly DerivedPart[], atOnce: number, isWhole = true) {
  const shown: Shown[] = [];
  const { store, db, log } = engines;
  const run = {
    store,
    db,
    log,
    checkpoints: openCheckpointFolder(),
    clock: systemClock,
    signal: new AbortController().signal,
    atOnce,
  };
  const result = await deriveAll(some, isWhole, { ...run, onShown: (one) => void shown.push(one) });
  return { names: result.map(({ name }) => name), made: result.map(({ made }) => made), shown };
}

async function hashes(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, columns } of parts.flatMap(madeBy)) {
    const said = Object.keys(columns).filter((column) => !column.endsWith("version") && column !== "ingested_at");
    const [row] = await engines.store.rows<{ n: string; hash: string }>(
      fromDefinition(
        `SELECT toString(count()) AS n, toString(groupBitXor(cityHash64(toString(tuple(${said.join(", ")}))))) AS hash FROM ${name} FINAL`,
      ),
    );
    found[name] = `${row?.n} ${row?.hash}`;
  }
  return found;
}

/** The highest number of parts running at once. */
function maxAtOnce(shown: readonly Shown[]): number {
  const open = new Set<string>();
  let most = 0;
  for (const { what, isOver } of shown) {
    if (isOver) open.delete(what);
    else open.add(what);
    most = Math.max(most, open.size);
  }
  return most;
}

describe("deriving everything", () => {
  test("gives the same rows in parallel as sequentially, with each part after its sources", async () => {
    const alone = await derive(parts, 1);
    expect(maxAtOnce(alone.shown)).toBe(1);
    expect(alone.names.toSorted()).toEqual(parts.map(nameOf).toSorted());
    for (const [first, second] of [
      ["polymarket-candles", "token-days"],
      ["token-days", "wallet-days"],
      ["wallet-entries", "wallet-scores"],
      ["wallet-pair-days", "wallet-patterns"],
      ["wallet-patterns", "market-snapshots"],
    ] as const) {
      expect(alone.names).toEqual(expect.arrayContaining([first, second]));
      expect(alone.names.indexOf(first)).toBeLessThan(alone.names.indexOf(second));
    }
    const left = await hashes();
    const together = await derive(parts, 4);
    expect(maxAtOnce(together.shown)).toBeGreaterThan(1);
    expect(await hashes()).toEqual(left);
  });

  const broken = {
    ...derivations[0],
    name: "broken",
    rebuild: () => fromDefinition("INSERT INTO no_such_table SELECT 1"),
    rows: undefined,
  } as SqlDerivation;

  test("rejects with the first error and starts no further part", async () => {
    const shown: DerivedPart[] = [
      { kind: "buckets", derivation: broken },
      ...refreshes.map((refresh) => ({ kind: "refresh" as const, refresh })),
    ];
    await expect(derive(shown, 2)).rejects.toThrow(/no_such_table/);
  });

  test("rebuilds the parts that a failed full run did not reach when an incremental run continues it", async () => {
    const buckets = derivations.slice(0, 1).map((derivation) => ({ kind: "buckets" as const, derivation }));
    const days = dayDerivations.slice(0, 1).map((derivation) => ({ kind: "days" as const, derivation }));
    const first: DerivedPart = { kind: "buckets", derivation: broken };
    const some = [...buckets, ...days];
    await derive(some, 1);
    expect((await derive(buckets, 1, false)).made).toEqual([expect.stringMatching(/^since /)]);
    await expect(derive([first, ...some], 1)).rejects.toThrow(/no_such_table/);
    const [all] = (await derive(days, 1)).made;
    await expect(derive([first, ...some], 1)).rejects.toThrow(/no_such_table/);
    expect((await derive(some, 1, false)).made).toEqual(["all", all]);
    expect((await derive(buckets, 1, false)).made).toEqual([expect.stringMatching(/^since /)]);
  });
});
