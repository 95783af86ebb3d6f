import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BookHistory } from "../../../../scripts/verify/book-history.ts";
import { countRows } from "../../../../scripts/verify/settle.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../records/start-postgres.ts";
import { startCluster, type TestCluster } from "../scale/cluster/start-cluster.ts";
import { openGatheringWorld, type Environment, type Gatherer, type GatheringWorld } from "./gathering-world.ts";
import type { Judged } from "./judge-rows.ts";
import { runAlmanac, type Ended } from "./run-almanac.ts";

const SLOW = 1_200_000;
/** More than the past that the world has. */
const HISTORY = "2h";
const LIVE = ["polymarket_fills", "kalshi_trades", "book_events"];

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";

let world: GatheringWorld;
let cluster: TestCluster;
let postgres: TestPostgres;
let history: BookHistory;
let embedded: Environment;
let clustered: Environment;
let gatherer: Gatherer;

beforeAll(async () => {
  if ("reason" in found) return;
  [world, cluster, postgres] = await Promise.all([
    openGatheringWorld(),
    startCluster({ shards: 2, replicas: 2 }),
    startPostgres(found.bin),
  ]);
  embedded = world.environmentOf("embedded");
  clustered = world.environmentOf("cluster", {
    CLICKHOUSE_URL: cluster.url,
    CLICKHOUSE_CLUSTER: cluster.name,
    DATABASE_URL: await postgres.newDatabase(),
    // A busy machine loses no lease.
    LEASE_SECONDS: "30",
  });
  await world.makeKey(join(world.folder, "embedded"));
  gatherer = await world.serve(embedded, "--history", HISTORY);
  await gatherer.settle();
  history = new BookHistory(world.exchange.world);
  world.exchange.clock.jumpTo(Date.now());
  world.exchange.clock.setSpeed(1);
}, SLOW);
afterAll(async () => {
  if ("reason" in found) return;
  await world.close();
  await Promise.all([cluster.stop(), postgres.stop()]);
}, SLOW);

/** The file for `--to`, of the settings that say where rows and records are. */
function targetFile(environment: Environment, name: string): string {
  const file = join(world.folder, `${name}.env`);
  const lines = Object.entries(environment).filter(([key]) => /^(ALMANAC_DATA_DIR|CLICKHOUSE_|DATABASE_)/.test(key));
  writeFileSync(file, lines.map(([key, value]) => `${key}=${value}\n`).join(""));
  return file;
}

const countLive = (): Promise<number[]> =>
  Promise.all(LIVE.map((table) => countRows({ store: gatherer.engines.store }, table)));

/** Runs commands while rows of every live table are stored. */
async function whileRowsCome(...commands: readonly (() => Promise<Ended>)[]): Promise<Ended[]> {
  const before = await countLive();
  const ended = await Promise.all(commands.map((command) => command()));
  await expect
    .poll(async () => (await countLive()).every((rows, index) => rows > (before[index] ?? 0)), { timeout: 60_000 })
    .toBe(true);
  return ended;
}

type Named = { readonly table: string; readonly is_same: boolean };

/** Ended with 0, or with 4 and the names of all tables that differ. */
function expectNamed(copied: Ended | undefined): void {
  const tables = (copied?.value["tables"] ?? []) as Named[];
  const other = tables.filter(({ is_same: isSame }) => !isSame).map(({ table }) => table);
  expect(copied?.code, copied?.said).toBe(other.length === 0 ? 0 : 4);
  if (other.length > 0) expect(copied?.said).toContain(`not the same: ${other.join(", ")};`);
  expect(tables.length).toBeGreaterThan(40);
}

async function stopGathering(): Promise<void> {
  expect(await gatherer.stop()).toEqual([]);
}

async function standStill(): Promise<void> {
  world.exchange.clock.setSpeed(0);
  await gatherer.settle();
}

/** Nothing of what happened is lost, wrong or there twice, but what is said to be missing (books while nobody listened). */
function expectAll({ streams, doubled }: Judged): void {
  expect(doubled).toEqual([]);
  for (const one of streams) {
    const wrong = one.stream.endsWith(" books") ? 0 : one.lost + one.wrong;
    expect({ ...one, wrong }, one.examples.join("\n")).toMatchObject({ doubled: 0, undeclared: 0, wrong: 0 });
    if (!["resolutions", "transfers"].includes(one.stream)) expect(one.truth, one.stream).toBeGreaterThan(0);
  }
}

describe.skipIf("reason" in found)(`beside a service that gathers${reason}`, { timeout: SLOW }, () => {
  test("an embedded store is copied to a cluster, and gathering goes on there where it was", async () => {
    const copy = () => runAlmanac(embedded, "copy", "--to", targetFile(clustered, "cluster")).ended;
    const [first] = await whileRowsCome(copy);
    expectNamed(first);
    const page = await gatherer.ask(573, { start_time: "2020-01-01" }, { limit: 10 });
    await stopGathering();
    expect(await copy()).toMatchObject({ code: 0, value: { is_same: true, differences: [] } });
    cpSync(join(world.folder, "embedded", "secret"), join(world.folder, "cluster", "secret"));
    gatherer = await world.serve(clustered);
    const next = await gatherer.ask(573, { start_time: "2020-01-01" }, { limit: 10, cursor: page.cursor ?? "" });
    expect(next.rows).toHaveLength(10);
    expect(next.rows.filter((row) => page.rows.some((other) => other["trade_id"] === row["trade_id"]))).toEqual([]);
  });

  test("the cluster is copied back and backed up, and holds all that happened, once", async () => {
    const back = { ...embedded, ALMANAC_DATA_DIR: join(world.folder, "back") };
    const copy = () => runAlmanac(clustered, "copy", "--to", targetFile(back, "back")).ended;
    const backUp = () => runAlmanac(clustered, "backup", "create", join(world.folder, "backups")).ended;
    const [copied, backedUp] = await whileRowsCome(copy, backUp);
    expectNamed(copied);
    expect(backedUp?.code, backedUp?.said).toBe(0);
    await standStill();
    history.close();
    expectAll(await gatherer.judge(history));
    await stopGathering();
    expect(await copy()).toMatchObject({ code: 0, value: { is_same: true, differences: [] } });
  });

  test("a backup made meanwhile is restored, and gathering from there ends with all that happened, once", async () => {
    const restored = world.environmentOf("restored");
    const { code, value, said } = await runAlmanac(restored, "restore", join(world.folder, "backups")).ended;
    expect({ code, value }, said).toMatchObject({ code: 0, value: { is_same: true } });
    gatherer = await world.serve(restored);
    await gatherer.settle();
    expectAll(await gatherer.judge(history));
    await stopGathering();
  });
});
