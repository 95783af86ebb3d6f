import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import { DIFFERENT_TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";
import { fill, table } from "../../fixtures/sample-rows.ts";

const fills = table("polymarket_fills");
const everywhere = [fills.name, ...Object.keys(fills.copies ?? {})];
const tx = (number: number): string => `0x${number.toString(16).padStart(64, "0")}`;
const hashOf = (number: number): string => `0x${(1_000_000 + number).toString(16).padStart(64, "0")}`;
const START = 1_780_000_000;
/** A thorough run takes as many as one deletion lists. */
const GROUPS = thoroughly(5000, 2000);

/** Two legs of a transaction with a second of its own, as the chain or the Data API reports them. */
const legs = (number: number, source: "chain_v2" | "data_api_v2", second = number): InsertRow[] =>
  [0, 1].map((leg) =>
    fill(leg, {
      ts: START + second,
      tx_hash: tx(number),
      order_hash: source === "chain_v2" ? hashOf(number * 2 + leg) : hashOf(500_000 + number * 2 + leg),
      source,
    }),
  );
const many = (from: number, to: number, source: "chain_v2" | "data_api_v2"): InsertRow[] =>
  Array.from({ length: to - from }, (_, index) => legs(from + index, source)).flat();

describe.each(DIFFERENT_TOPOLOGIES)("$name:", ({ open }) => {
  let store: TopologyStore;
  beforeAll(async () => (store = await open()));
  afterAll(() => store.close());
  beforeEach(async () => {
    for (const name of everywhere) await store.alter(fromDefinition(`TRUNCATE TABLE ${name}`));
  });

  const stored = async (name: string): Promise<string[]> => {
    const found = await store.rows<{ row: string }>(
      fromDefinition(
        `SELECT concat(toString(source), ' ', toString(toUnixTimestamp(ts) - ${START}), ' ', toString(count())) AS row FROM ${name} GROUP BY source, ts ORDER BY ts, source`,
      ),
    );
    return found.map(({ row }) => row);
  };

  test("replaces provisional rows by the real rows of their group, in every sort order", async () => {
    expect(await store.insert(fills, many(0, 6, "data_api_v2"))).toEqual({ stored: 12, known: 0 });
    expect(await store.insert(fills, many(2, 4, "chain_v2"))).toMatchObject({ stored: 4, known: 0, replaced: 4 });
    const expected = [0, 1, 2, 3, 4, 5].map((n) => `${n === 2 || n === 3 ? "chain_v2" : "data_api_v2"} ${n} 2`);
    for (const name of everywhere) expect(await stored(name), name).toEqual(expected);
  });

  test("counts provisional rows as known if real rows are stored or come with them", async () => {
    await store.insert(fills, legs(1, "chain_v2"));
    expect(await store.insert(fills, many(0, 3, "data_api_v2"))).toEqual({ stored: 4, known: 2 });
    expect(await store.insert(fills, [...legs(7, "data_api_v2"), ...legs(7, "chain_v2")])).toEqual({
      stored: 2,
      known: 2,
    });
    for (const name of everywhere)
      expect(await stored(name), name).toEqual(["data_api_v2 0 2", "chain_v2 1 2", "data_api_v2 2 2", "chain_v2 7 2"]);
  });

  test("a repeat changes nothing, and the table's stamp rises when provisional rows are replaced", async () => {
    await store.insert(fills, many(0, 3, "data_api_v2"));
    const before = store.stampOf([fills]);
    await store.insert(fills, many(0, 3, "chain_v2"));
    expect(store.stampOf([fills])).not.toBe(before);
    expect(await store.insert(fills, many(0, 3, "chain_v2"))).toEqual({ stored: 0, known: 6 });
    expect(await store.insert(fills, many(0, 3, "data_api_v2"))).toEqual({ stored: 0, known: 6 });
    for (const name of everywhere) expect(await stored(name)).toEqual(["chain_v2 0 2", "chain_v2 1 2", "chain_v2 2 2"]);
  });

  test("repeating an insert that was cut off before its provisional rows were deleted completes it", async () => {
    await store.insert(fills, many(0, 4, "chain_v2"));
    // A process killed between storing and deleting leaves both kinds, and a copy that is already done.
    const [copy = ""] = Object.keys(fills.copies ?? {});
    const kept = await store.again();
    for (const name of everywhere.filter((each) => each !== copy)) {
      await store.run(
        fromDefinition(
          `INSERT INTO ${name} SELECT * REPLACE ('data_api_v2' AS source, reverse(order_hash) AS order_hash) FROM ${name}`,
        ),
      );
    }
    expect(await kept.insert(fills, many(0, 4, "chain_v2"))).toMatchObject({ stored: 0, known: 8, replaced: 8 });
    await kept.close();
    for (const name of everywhere)
      expect(await stored(name), name).toEqual(["chain_v2 0 2", "chain_v2 1 2", "chain_v2 2 2", "chain_v2 3 2"]);
  });

  test("replaces thousands of groups at once", async () => {
    await store.insert(fills, many(0, GROUPS, "data_api_v2"));
    expect(await store.insert(fills, many(0, GROUPS, "chain_v2"))).toMatchObject({
      stored: 2 * GROUPS,
      known: 0,
      replaced: 2 * GROUPS,
    });
    for (const name of everywhere) {
      const [row] = await store.rows<{ n: string; real: string }>(
        fromDefinition(`SELECT count() AS n, countIf(source = 'chain_v2') AS real FROM ${name}`),
      );
      expect(row, name).toEqual({ n: String(2 * GROUPS), real: String(2 * GROUPS) });
    }
  });

  test("reports the seconds of replaced rows, so that rows derived from them are rebuilt", async () => {
    await store.insert(fills, many(60, 61, "data_api_v2"));
    const { replacedAt } = await store.insert(fills, legs(60, "chain_v2", 62));
    expect(replacedAt).toEqual([new Date((START + 60) * 1000).toISOString().slice(0, 19).replace("T", " ")]);
  });
});
