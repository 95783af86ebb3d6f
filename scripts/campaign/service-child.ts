// The whole service as a campaign run starts and kills it: `node service-child.ts`, controlled by parent messages.
import { createAccount } from "../../packages/server/src/access/accounts.ts";
import { createKey } from "../../packages/server/src/access/keys.ts";
import { editPlan } from "../../packages/server/src/access/plans.ts";
import { readConfig } from "../../packages/server/src/config.ts";
import { createLog } from "../../packages/server/src/log.ts";
import { openEngines, type Engines } from "../../packages/server/src/main/open-engines.ts";
import { openService } from "../../packages/server/src/main/open-service.ts";
import { gatherPast } from "./gather-past.ts";
import { MachineClock } from "./machine-clock.ts";
import type { FromService, Orders, ToService } from "./service-process.ts";

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
const clock = new MachineClock(orders.clock);
// The store stamps rows with the machine's time, which must be the run's.
Date.now = clock.now;
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms: number): AbortSignal => timeout.call(AbortSignal, Math.ceil(ms / clock.state.rate));

const report = (message: FromService): void => void process.send?.(message);

let key: string | undefined;

async function open(config: Parameters<typeof openEngines>[0]): Promise<Engines> {
  const engines = await openEngines(config);
  if (orders.needsKey) key = await makeKey(engines);
  return engines;
}

async function makeKey({ records }: Engines): Promise<string> {
  const admin = { db: records.db, clock: Date.now, actor: "campaign" };
  const email = "campaign@almanac.invalid";
  await editPlan(admin, "enterprise", { requests_per_minute: 1_000_000, burst: 1_000_000, max_page: 10_000 });
  await createAccount(admin, { name: "campaign", email, plan: "enterprise" }).catch(() => undefined);
  return (await createKey(admin, { account: email, name: "campaign" })).key;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel, process.stderr);
  const service = await openService(config, log, { clock, open });
  report({ kind: "ready", baseUrl: service.baseUrl, ...(key === undefined ? {} : { key }) });
  const stopping = new AbortController();
  let isPastGathered = false;
  const requested = { fromMs: orders.pastFromMs, now: clock.now };
  const past = gatherPast(service, requested, log, stopping.signal).then(() => (isPastGathered = true));
  const end = async (): Promise<void> => {
    stopping.abort(new Error("the run stops the service"));
    await past;
    await service.close();
    process.exit(0);
  };
  const reportStatus = async (id: number): Promise<void> => {
    try {
      const status = await service.ingest?.status();
      if (status !== undefined) report({ kind: "status", id, status, isPastGathered });
    } catch (error) {
      // Slow records on a starved machine are not fatal: the status is retried until the run gives up.
      log.error({ err: error }, "the status could not be reported");
      setTimeout(() => void reportStatus(id), 500);
    }
  };
  void service.engineEnded.then(() => process.exit(1));
  process.on("message", (message: ToService) => {
    if (message.kind === "clock") clock.follow(message.state);
    if (message.kind === "stop") void end();
    if (message.kind === "status") {
      void reportStatus(message.id);
    }
  });
  process.on("disconnect", () => process.exit(1));
}

await main();
