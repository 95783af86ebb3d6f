// The service as a process that a benchmark watches: it is told the venues' clock and says how its streams are.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readConfig } from "../../packages/server/src/config.ts";
import { createLog } from "../../packages/server/src/log.ts";
import { openService } from "../../packages/server/src/main/open-service.ts";

const REPORT_MS = 1000;

let venue = { at: Date.now(), nowMs: Date.now(), speed: 1 };
process.on("message", (told: { nowMs: number; speed: number }) => {
  venue = { at: Date.now(), ...told };
});

const config = readConfig();
const log = createLog(config.logLevel, process.stderr);
const service = await openService(config, log, {
  venueNow: () => Math.floor(venue.nowMs + (Date.now() - venue.at) * venue.speed),
});
process.stdout.write(`${JSON.stringify({ base_url: service.baseUrl })}\n`);

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const report = setInterval(() => {
  // A status that cannot be read for once is left out.
  tell().catch((error: unknown) => log.error({ err: error }, "the streams could not be looked at"));
}, REPORT_MS);

async function tell(): Promise<void> {
  const status = await service.ingest?.status();
  const { heapUsed, external } = process.memoryUsage();
  if (process.connected)
    process.send?.({ ...status, loopMs: delay.max / 1e6, heapMiB: (heapUsed + external) / 2 ** 20 });
  delay.reset();
}

let isEnding = false;
const end = (): void => {
  if (isEnding) return;
  isEnding = true;
  clearInterval(report);
  void service.close().finally(() => process.exit(0));
};
process.once("SIGTERM", end);
// The benchmark is gone.
process.once("disconnect", end);
