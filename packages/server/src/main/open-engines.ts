import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { openRecords, type Records } from "../records/records.ts";
import type { EngineNews } from "../store/embedded/keep-engine.ts";
import { migrate } from "../store/migrate.ts";
import { openStore, type OpenStore } from "../store/open-store.ts";

export const MIGRATIONS = fileURLToPath(new URL("../../migrations", import.meta.url));
const DATABASE = "almanac";

export type Engines = {
  readonly store: OpenStore;
  readonly records: Records;
  readonly migrated: readonly string[];
  readonly close: () => Promise<void>;
};

/** Opens the column engine and the control records that the settings name, both migrated. */
export async function openEngines(config: Config, log?: Logger): Promise<Engines> {
  const [columns, controls] = await Promise.allSettled([openColumns(config, log), openControls(config)]);
  if (columns.status === "rejected" || controls.status === "rejected") {
    if (columns.status === "fulfilled") await columns.value.close();
    if (controls.status === "fulfilled") await controls.value.close();
    throw columns.status === "rejected" ? columns.reason : (controls as PromiseRejectedResult).reason;
  }
  const [store, records] = [columns.value, controls.value];
  const close = async (): Promise<void> => {
    await records.close();
    await store.close();
  };
  try {
    return { store, records, migrated: await migrate(store, MIGRATIONS), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openControls(config: Config): Promise<Records> {
  return openRecords(config.databaseUrl === undefined ? { dataDir: config.dataDir } : { url: config.databaseUrl });
}

function openColumns(config: Config, log: Logger | undefined): Promise<OpenStore> {
  const limits = { seconds: config.queryTimeoutSeconds, memoryBytes: config.queryMemoryBytes };
  if (config.clickhouseUrl === undefined) {
    const onEngine = (news: EngineNews): void => tellNews(news, log);
    return openStore({ folder: join(config.dataDir, "columns"), limits, onEngine });
  }
  const url = new URL(config.clickhouseUrl);
  const database = url.pathname.length > 1 ? url.pathname.slice(1) : DATABASE;
  const [user, password] = [decodeURIComponent(url.username) || "default", decodeURIComponent(url.password)];
  return openStore({ address: { url: url.origin, user, password, database }, limits });
}

function tellNews(news: EngineNews, log: Logger | undefined): void {
  if (news.kind === "ended") log?.error("the column engine ended; it is started again");
  else if (news.kind === "started") log?.warn({ pid: news.pid }, "the column engine was started again");
  else log?.error({ err: news.error, tried: news.tried }, "the column engine could not be started again");
}
