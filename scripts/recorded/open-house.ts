import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { Registry } from "prom-client";
import { faultPlan } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { ExchangeUrls } from "../../packages/exchange/src/serve-options.ts";
import { serveExchange } from "../../packages/exchange/src/serve.ts";
import type { Feed, Host } from "../../packages/server/src/definition/connector.ts";
import { systemClock } from "../../packages/server/src/ingest/clock.ts";
import { createDeriver } from "../../packages/server/src/ingest/derive.ts";
import { createIngestMetrics, type IngestMetrics } from "../../packages/server/src/ingest/ingest-metrics.ts";
import { openUpstreams, type Upstreams } from "../../packages/server/src/ingest/upstreams.ts";
import { createWrite, type Write } from "../../packages/server/src/ingest/write.ts";
import type { Records } from "../../packages/server/src/records/records.ts";
import { openRecords } from "../../packages/server/src/records/records.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import { openTestQuery } from "../../packages/server/test/fixtures/open-test-query.ts";
import { cutFaults } from "./cut-faults.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { skippingClock } from "./skipping-clock.ts";

const MIGRATIONS = join(import.meta.dirname, "../../packages/server/migrations");
/** What no recording answers is answered by the world: a small one, that stands still. */
const WORLD = { events: 2, wallets: 20, kalshi_markets: 2, activity: 0.1 };

/** The paper exchanges in record mode and everything between a connector and a caller, on folders of their own. */
export type House = {
  /** Folder of the recordings. */
  readonly dir: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly store: OpenStore;
  readonly records: Records;
  readonly query: ReturnType<typeof openTestQuery>;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  readonly write: Write;
  readonly upstreams: Upstreams;
  /** Reaches a host by HTTP, its budget kept by a clock that does not wait. */
  readonly feedOf: (host: Host, stream: string, signal: AbortSignal) => Feed;
  /** Sockets cut so far, and faults by kind and door; nothing where the house is not cut. */
  readonly harm: () => { readonly cuts: number; readonly injected: Readonly<Record<string, unknown>> };
  readonly close: () => Promise<void>;
};

/** `kept`: the folder to go on with, which stays; by default a new one that goes. `isCut`: with sockets cut in the middle, answers that fail or are cut, rows that come twice. Throws when `dir` does not hold recordings. Nothing is derived: no stream checked here is answered from derived rows. */
export async function openHouse(dir: string, level = "silent", isCut = false, kept?: string): Promise<House> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), "almanac-recorded-"));
  const closing: (() => Promise<void> | void)[] = [];
  if (kept === undefined) closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).toReversed()) await end();
  };
  try {
    const exchange = await serveExchange({ record_dir: dir, speed: 0, days: 0.1, world: WORLD });
    closing.push(() => exchange.close());
    if (isCut) exchange.faults.set(faultPlan.parse(cutFaults));
    const proxy = isCut ? await openCuttingProxy(exchange.urls.ws_url) : undefined;
    if (proxy) closing.push(() => proxy.close());
    const store = await openStore({ folder: join(folder, "columns") });
    closing.push(() => store.close());
    await migrate(store, MIGRATIONS);
    const records = await openRecords({ dataDir: join(folder, "records") });
    closing.push(() => records.close());
    const settings = settingsOf(proxy ? { ...exchange.urls, ws_url: proxy.url } : exchange.urls);
    const [log, metrics] = [pino({ level }), createIngestMetrics(new Registry())];
    const shared = { settings, db: records.db, log, metrics };
    const upstreams = openUpstreams({ ...shared, clock: skippingClock(Date.now()) });
    closing.push(() => upstreams.close());
    const deriver = createDeriver({ ...shared, derivations: [], store, clock: systemClock });
    const write = createWrite({ store, deriver, metrics, announceKnown: false });
    return {
      dir,
      settings,
      store,
      records,
      log,
      metrics,
      write,
      upstreams,
      close,
      harm: () => ({ cuts: proxy?.cuts() ?? 0, injected: exchange.faults.status().injected }),
      query: openTestQuery(store),
      feedOf: (host, stream, signal) => upstreams.feedOf(host, stream, "live", signal),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function settingsOf(urls: ExchangeUrls): Record<string, string> {
  return {
    POLYMARKET_GAMMA_URL: urls.gamma_url,
    POLYMARKET_CLOB_URL: urls.clob_url,
    POLYMARKET_DATA_URL: urls.data_url,
    POLYMARKET_WS_URL: urls.ws_url,
    POLYGON_RPC_URL: urls.rpc_url,
    BLUESKY_JETSTREAM_URL: urls.jetstream_url,
    HN_URL: urls.hn_url,
    GDELT_URL: urls.gdelt_url,
    X_URL: urls.x_url,
    X_BEARER_TOKEN: urls.x_bearer_token,
    X_DAILY_USD: "5",
    KALSHI_URL: urls.kalshi_url,
    KALSHI_WS_URL: urls.kalshi_ws_url,
  };
}
