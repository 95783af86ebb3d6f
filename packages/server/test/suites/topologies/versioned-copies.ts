import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { walletDays } from "../../../src/tables/wallet-days.ts";
import { DIFFERENT_TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";

const hex = (value: number): string => `0x${value.toString(16).padStart(40, "0")}`;
const row = (wallet: number, buys: number) => ({ wallet: hex(wallet), day: "2026-11-01", buys, is_gone: false });

describe.each(DIFFERENT_TOPOLOGIES)("$name:", ({ open }) => {
  let store: TopologyStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const saysOf = async (name: string) => {
    const rows = await store.rows<{ says: string }>(
      fromDefinition(
        `SELECT concat(lower(hex(wallet)), ' ', toString(buys)) AS says FROM ${name} FINAL ORDER BY wallet`,
      ),
    );
    return rows.map(({ says }) => says.replace(/^0+/, ""));
  };

  test("writes a changed row to every copy and an unchanged one to none", async () => {
    expect(await store.insert(walletDays, [row(1, 1), row(2, 1)], "absent")).toEqual({ stored: 2, known: 0 });
    expect(await store.insert(walletDays, [row(1, 1), row(2, 5)])).toEqual({ stored: 1, known: 1 });
    for (const name of ["wallet_days", "wallet_days_by_wallet"]) expect(await saysOf(name)).toEqual(["1 1", "2 5"]);
  });

  test("a copy that got ahead of its table before a crash is brought back in line with the table", async () => {
    // An insert that is cut off between the copy and the table leaves this.
    await store.run(
      fromDefinition(
        `INSERT INTO wallet_days_by_wallet (wallet, day, buys, version) SELECT toFixedString(unhex(substring(each.1, 3)), 20), toDate('2026-11-01'), each.2, (SELECT max(version) + 1000 FROM wallet_days) FROM (SELECT arrayJoin([('${hex(1)}', 7), ('${hex(3)}', 7)]) AS each)`,
      ),
    );
    expect(await saysOf("wallet_days_by_wallet")).toEqual(["1 7", "2 5", "3 7"]);
    // After a failure, as after a start, the writer checks what is stored.
    await expect(store.insert(walletDays, [{ ...row(4, 1), day: "soon" }])).rejects.toThrow();
    await store.insert(walletDays, [row(4, 1)]);
    for (const name of ["wallet_days", "wallet_days_by_wallet"])
      expect(await saysOf(name)).toEqual(["1 1", "2 5", "4 1"]);
  });
});
