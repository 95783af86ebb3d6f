// The service as a process watched by a benchmark: its argument is how far the venues' clock is ahead, in ms; it
// reports the state of its streams.
import { readConfig } from "../../packages/server/src/config.ts";
import { createLog } from "../../packages/server/src/log.ts";
import { openServing } from "../../packages/server/src/main/serving.ts";

const REPORT_MS = 1000;

const ahead = Number(process.argv[2]);
const config = readConfig();
const log = createLog(config.logLevel, process.stderr);
// Opens its control socket too, which `almanac key create` uses.
const serving = await openServing(config, log, { venueNow: () => Date.now() + ahead });
process.stdout.write(`${JSON.stringify({ base_url: serving.baseUrl })}\n`);

const reporting = setInterval(() => {
  // A failed status read is skipped.
  report().catch((error: unknown) => log.error({ err: error }, "the streams could not be looked at"));
}, REPORT_MS);

async function report(): Promise<void> {
  const status = await serving.service().ingest?.status();
  if (process.connected) process.send?.(status?.streams.map(({ name, state }) => ({ name, state })) ?? []);
}

let isEnding = false;
const end = (): void => {
  if (isEnding) return;
  isEnding = true;
  clearInterval(reporting);
  void serving.close().finally(() => process.exit(0));
};
process.once("SIGTERM", end);
// The benchmark has exited.
process.once("disconnect", end);
