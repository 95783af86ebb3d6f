import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { tables } from "../catalogue.ts";
import { CommandError } from "../cli/command.ts";
import type { Config } from "../config.ts";
import { openCheckpointFolder, type CheckpointFolder } from "../ingest/fold/checkpoints.ts";
import { findLeader } from "../ingest/leader/leader-record.ts";
import { openRecords, type Records } from "../records/records.ts";
import type { EngineNews } from "../store/embedded/keep-engine.ts";
import { migrate, requireUpgradable, type MigrationWish } from "../store/migrate.ts";
import { openStore, type OpenStore, type ReadLimits } from "../store/open-store.ts";
import { requireOwnRows, type OwnRowsWish } from "./own-rows.ts";
import { coolTables } from "../store/cold/cool-tables.ts";
import type { Address } from "../store/connection.ts";
import type { ClusterPlace } from "../store/cluster/cluster-node.ts";

const DATABASE = "almanac";

/** The ClickHouse server or cluster that the settings name; undefined if the engine is embedded. */
function columnPlace({
  clickhouseUrl,
  clickhouseCluster,
}: Pick<Config, "clickhouseUrl" | "clickhouseCluster">): { readonly address: Address } | ClusterPlace | undefined {
  if (clickhouseUrl === undefined) return undefined;
  const [first, ...others] = clickhouseUrl.split(",").map((each) => new URL(each));
  if (first === undefined) return undefined;
  const own = addressOf(first, { user: "default", password: "", database: DATABASE });
  if (clickhouseCluster === undefined) return { address: own };
  return { cluster: clickhouseCluster, nodes: [own, ...others.map((url) => addressOf(url, own))] };
}

/** Parts that an address omits are taken from the first one. */
function addressOf(url: URL, base: Pick<Address, "user" | "password" | "database">): Address {
  const isNamed = url.username !== "";
  return {
    url: url.origin,
    user: isNamed ? decodeURIComponent(url.username) : base.user,
    password: isNamed ? decodeURIComponent(url.password) : base.password,
    database: url.pathname.length > 1 ? url.pathname.slice(1) : base.database,
  };
}

export const MIGRATIONS = fileURLToPath(new URL("../../migrations", import.meta.url));

export type Engines = {
  readonly store: OpenStore;
  readonly records: Records;
  readonly checkpoints: CheckpointFolder;
  readonly migrated: readonly string[];
  readonly close: () => Promise<void>;
};

export type OpenWish = MigrationWish &
  OwnRowsWish & {
    /** The records may belong to another column store: the command binds them to this one. */
    readonly isAnyStore?: boolean;
  };

/**
 * Opens the column engine and the control records that the settings name, and migrates both. Throws CommandError if the
 * records belong to another column store.
 */
export async function openEngines(config: Config, log?: Logger, wish: OpenWish = {}): Promise<Engines> {
  const opening = openColumns(config, log);
  // The version that upgrades a store refused here needs the records as they are.
  const known = opening.then((store) => requireUpgradable(store, MIGRATIONS, tables));
  const [columns, controls] = await Promise.allSettled([opening, openControls(config, known), known]);
  if (columns.status === "rejected" || controls.status === "rejected") {
    if (columns.status === "fulfilled") await columns.value.close();
    if (controls.status === "fulfilled") await controls.value.close();
    throw columns.status === "rejected" ? columns.reason : (controls as PromiseRejectedResult).reason;
  }
  const [store, records] = [columns.value, controls.value];
  const checkpoints = openCheckpointFolder(join(config.dataDir, "checkpoints"));
  const close = async (): Promise<void> => {
    checkpoints.close();
    await records.close();
    await store.close();
  };
  try {
    const migrated = await migrate(store, MIGRATIONS, tables, {
      ...wish,
      requireAlone: (laid) => requireAlone(records, laid),
    });
    if (!wish.isAnyStore) await requireOwnRows({ store, records }, wish);
    await coolOld(store, config, log);
    return { store, records, checkpoints, migrated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openControls({ databaseUrl, dataDir }: Config, mayMigrate: Promise<void>): Promise<Records> {
  return openRecords(databaseUrl === undefined ? { dataDir } : { url: databaseUrl }, () => mayMigrate);
}

const limitsOf = (config: Config): ReadLimits => ({
  seconds: config.queryTimeoutSeconds,
  memoryBytes: config.queryMemoryBytes,
});

/** Opens the column engine that the settings name, or another process's embedded one, for a process that only reads. */
export function openColumnsOf(config: Config, embedded: Address | undefined): Promise<OpenStore> {
  const place = columnPlace(config) ?? (embedded && { address: embedded });
  if (place === undefined) throw new TypeError("there is no column engine to query");
  return openStore({ ...place, limits: limitsOf(config) });
}

function openColumns(config: Config, log: Logger | undefined): Promise<OpenStore> {
  const limits = limitsOf(config);
  const place = columnPlace(config);
  if (place === undefined) {
    const onEngine = (news: EngineNews): void => reportNews(news, log);
    const cooling = config.cooling?.place;
    const cold = cooling?.kind === "s3" ? cooling : undefined;
    return openStore({ folder: join(config.dataDir, "columns"), cold, limits, onEngine });
  }
  return openStore({ ...place, limits });
}

function reportNews(news: EngineNews, log: Logger | undefined): void {
  if (news.kind === "ended") log?.error("the column engine ended; restarting it");
  else if (news.kind === "started") log?.warn({ pid: news.pid }, "the column engine was restarted");
  else log?.error({ err: news.error, tried: news.tried }, "the column engine could not be restarted");
}

/** Requires that no process leads: a migration that copies a table into another layout loses rows stored meanwhile. */
async function requireAlone({ db }: Records, laid: readonly string[]): Promise<void> {
  const leader = await findLeader(db);
  if (leader === undefined) return;
  throw new CommandError(
    1,
    `a migration copies the rows of ${laid.join(", ")} into another layout, and rows that ${leader.process} stores there meanwhile would be lost: stop every ingesting process, and run it again (docs/deploy.md, Upgrades)`,
  );
}

/**
 * If the settings say so, lets the engine move old rows to cheaper storage from now on. Throws Error without its
 * policy.
 */
async function coolOld(store: OpenStore, { cooling }: Config, log?: Logger): Promise<void> {
  if (cooling === undefined) return;
  const changed = await coolTables(store, tables, cooling);
  if (changed.length > 0)
    log?.info(
      { tables: changed, after_days: cooling.afterDays },
      "old rows of these tables move to cold storage from now on",
    );
}
