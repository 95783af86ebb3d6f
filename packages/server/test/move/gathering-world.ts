import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEnvironment } from "../../../../scripts/campaign/run-environment.ts";
import type { BookHistory } from "../../../../scripts/verify/book-history.ts";
import { asker, type Ask } from "../../../../scripts/verify/ask.ts";
import { serveExchange, type ServedExchange } from "../../../exchange/src/serve.ts";
import { createAccount } from "../../src/access/create-account.ts";
import { createKey } from "../../src/access/create-key.ts";
import { editPlan } from "../../src/access/edit-plan.ts";
import { readConfig } from "../../src/config.ts";
import { openEngines, type Engines } from "../../src/main/open-engines.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { freePort } from "../fixtures/free-port.ts";
import { judgeRows, type Judged } from "./judge-rows.ts";
import { startServiceProcess } from "./service-process.ts";
import { settleWorld } from "./settle-world.ts";

const SEED = 23;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PAST_MS = 10 * MINUTE_MS;
/** Waits end when all is there; a busy machine takes its time. */
const SETTLE_MS = 600_000;
const MOST_SHOWN = 4000;
const PLAN = "enterprise";
/** Lets everything through. */
const WIDE = { requests_per_minute: 1_000_000, burst: 1_000_000, max_page: 10_000 };

export type Environment = Readonly<Record<string, string>>;

/** `almanac serve` over one place, and a way to its rows and records beside it. */
export type Gatherer = {
  readonly ask: Ask;
  readonly engines: Engines;
  /** Waits until all that happened in a world that stands still is stored. */
  readonly settle: () => Promise<void>;
  /** Everything that is answered against everything that happened. */
  readonly judge: (history: BookHistory) => Promise<Judged>;
  /** Tells it to end; what was wrong until then, a sentence each. */
  readonly stop: () => Promise<readonly string[]>;
};

export type GatheringWorld = {
  readonly folder: string;
  readonly exchange: ServedExchange;
  /** Settings of a service that gathers from the paper exchanges into a folder of that name, and `more`. */
  readonly environmentOf: (name: string, more?: Environment) => Environment;
  /** Has the key that everything is asked with made in embedded records that nothing uses yet. */
  readonly makeKey: (dataDir: string) => Promise<void>;
  readonly serve: (environment: Environment, ...args: readonly string[]) => Promise<Gatherer>;
  readonly close: () => Promise<void>;
};

/** Nothing is away here: what the engine refuses is a fault of a statement. */
const isRefused = (line: string): boolean => line.includes('"kind":"failed"');

/** Paper exchanges, which stand still, and one after another the services that gather from them. */
export async function openGatheringWorld(): Promise<GatheringWorld> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-gathering-"));
  const exchange = await serveExchange({
    seed: SEED,
    speed: 0,
    from_ms: Date.now() - PAST_MS,
    days: PAST_MS / DAY_MS,
    world: { activity: 4, events: 4, wallets: 40, kalshi_markets: 8, kalshi_cutoff_ms: PAST_MS / 3 },
  });
  let key = "";
  const running = new Set<() => Promise<unknown>>();
  const serve: GatheringWorld["serve"] = async (environment, ...args) => {
    const logFile = join(folder, `service-${running.size}.log`);
    const port = await freePort();
    const service = startServiceProcess({ port, environment, arguments: args, logFile });
    running.add(service.kill);
    const saidLast = (): string => readFileSync(logFile, "utf8").slice(-MOST_SHOWN);
    try {
      await service.listening;
    } catch (error) {
      throw new Error(saidLast(), { cause: error });
    }
    const engines = await openEngines(readConfig(environment));
    const ask = asker(service.baseUrl, key);
    return {
      ask,
      engines,
      settle: async () => {
        const waiting = await settleWorld(exchange.world, engines, SETTLE_MS);
        if (waiting.length > 0) throw new Error(`not settled: ${waiting.join(", ")}\n${saidLast()}`);
      },
      judge: (history) => judgeRows(exchange, { ask, store: engines.store, history, seed: SEED }),
      stop: async () => {
        await engines.close();
        const hasEnded = service.hasEnded();
        const isClean = await service.stop();
        return [
          ...(isClean ? [] : ["it had to be killed"]),
          ...(hasEnded ? ["it ended by itself"] : []),
          ...readFileSync(logFile, "utf8").split("\n").filter(isRefused),
        ];
      },
    };
  };
  return {
    folder,
    exchange,
    environmentOf: (name, more = {}) => ({
      ...runEnvironment(exchange.urls, {
        source: "chain_and_rtds",
        hasKalshiKey: true,
        hasNode: true,
        folder: join(folder, name),
      }),
      ...more,
    }),
    makeKey: async (dataDir) => {
      mkdirSync(dataDir, { mode: 0o700 });
      const records = await openRecords({ dataDir });
      try {
        key = await keyIn(records);
      } finally {
        await records.close();
      }
    },
    serve,
    close: async () => {
      for (const kill of running) await kill();
      await exchange.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function keyIn({ db }: Records): Promise<string> {
  const desk = { db, clock: Date.now, actor: "gathering-world" };
  await editPlan(desk, PLAN, WIDE);
  const { account } = await createAccount(desk, { name: PLAN, email: `${PLAN}@almanac.invalid`, plan: PLAN });
  return (await createKey(desk, { account: account.id })).key;
}
