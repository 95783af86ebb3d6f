import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveExchange, type ServedExchange } from "../../packages/exchange/src/serve.ts";
import type { ServeOptions } from "../../packages/exchange/src/serve-options.ts";
import { readConfig } from "../../packages/server/src/config.ts";
import { systemClock, type Clock } from "../../packages/server/src/ingest/clock.ts";
import { createLog } from "../../packages/server/src/log.ts";
import { gatherHistory } from "../../packages/server/src/main/gather-history.ts";
import type { Service, ServiceParts } from "../../packages/server/src/main/open-service.ts";
import { openServing } from "../../packages/server/src/main/serving.ts";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import { makeUnboundedKey } from "../service/report-service.ts";
import { venueSettings } from "../service/venue-settings.ts";
import { asker, type Ask } from "./ask.ts";
import type { Source } from "./fills.ts";

const DAY_MS = 86_400_000;
/** Backfill starts this long before the world began. */
const BEFORE_MS = 600_000;

/** The paper exchanges and, one after another over the same data, services that ingest from them. */
export type Scene = {
  readonly exchange: ServedExchange;
  readonly startService: (source: Source) => Promise<Running>;
  readonly close: () => Promise<void>;
};

/** Rate limits of the paper exchanges are no constraint in this scene. */
const UNBOUNDED_PACE = { KALSHI_TOKENS_PER_SECOND: "100000", POLYGON_RPC_CALLS_PER_SECOND: "100000" };

/** Nothing compares income here, and requesting every wallet's takes minutes of settling. */
const FEW_WALLETS = "25";

export type Running = {
  readonly service: Service;
  readonly ask: Ask;
  /** Direct access to the rows, for counting what is stored. */
  readonly store: OpenStore;
  /** Backfills from before the world began. */
  readonly gatherPast: () => Promise<void>;
  /** The scene's `expedite`. */
  readonly expedite: number;
  readonly stop: () => Promise<void>;
};

export type SceneOptions = Pick<ServeOptions, "seed" | "world"> & {
  readonly days: number;
  readonly streamsOff?: readonly string[] | undefined;
  readonly logLevel?: string;
  /** Divides the service's waits between cycles, for tests that only check the results. */
  readonly expedite?: number | undefined;
  /** Names of the only derivations to run; upstream responses are then not kept. All run when absent. */
  readonly derived?: readonly string[] | undefined;
};

/** Opens a world that is paused at its present until its clock is started. */
export async function openScene(options: SceneOptions): Promise<Scene> {
  const { logLevel = "error", streamsOff = [], expedite = 1, derived, ...world } = options;
  const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / expedite, signal) };
  const worksOut = (name: string): boolean => derived?.includes(name) ?? true;
  const startMs = Date.now() - options.days * DAY_MS;
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-verify-"));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  process.once("exit", remove);
  const exchange = await serveExchange({ ...world, from_ms: startMs, speed: 0 });
  let running: Running | undefined;
  let key: string | undefined;
  return {
    exchange,
    startService: async (source) => {
      const environment = {
        ...venueSettings(exchange.urls),
        ...UNBOUNDED_PACE,
        ...(source === "chain" ? {} : { POLYGON_RPC_URL: "" }),
        ALMANAC_DATA_DIR: dataDir,
        ALMANAC_PORT: "0",
        LOG_LEVEL: logLevel,
        INCOME_WALLETS: FEW_WALLETS,
        ...(derived === undefined ? {} : { RAW_PAYLOAD_HOURS: "0" }),
        ...(streamsOff.length > 0 ? { STREAMS_OFF: streamsOff.join(",") } : {}),
      };
      running = await run(
        environment,
        { clock, worksOut, expedite },
        exchange.world.start_ms - BEFORE_MS,
        async () => (key ??= await makeUnboundedKey(environment)),
      );
      return running;
    },
    close: async () => {
      await running?.stop();
      await exchange.close();
      remove();
      process.removeListener("exit", remove);
    },
  };
}

type Environment = Readonly<Record<string, string>>;

async function run(
  environment: Environment,
  { expedite, ...parts }: Pick<ServiceParts, "clock" | "worksOut"> & Pick<Running, "expedite">,
  fromMs: number,
  keyOf: () => Promise<string>,
): Promise<Running> {
  const config = readConfig(environment);
  const log = createLog(config.logLevel, process.stderr);
  const serving = await openServing(config, log, parts);
  const service = serving.service();
  const stopping = new AbortController();
  let gathering: Promise<void> = Promise.resolve();
  let isStopped = false;
  const store = await openStore({ folder: join(config.dataDir, "columns") });
  return {
    service,
    store,
    expedite,
    ask: asker(service.baseUrl, await keyOf()),
    gatherPast: () => (gathering = gatherHistory(service, Date.now() - fromMs, log, stopping.signal)),
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      stopping.abort(new Error("the verification stops the service"));
      await gathering;
      await store.close();
      await serving.close();
    },
  };
}
