// A process that answers requests of the API; start-workers.ts starts it.
import { openOwnerChannel } from "./owner-channel.ts";
import { openWorker, type Worker } from "./open-worker.ts";
import type { Opening } from "./protocol.ts";

process.title = "almanac-worker";
let worker: Promise<Worker> | undefined;
let address: string | undefined;

const channel = openOwnerChannel((message) => {
  if (message.kind === "open") worker = open(message.opening);
  else if (message.kind === "stop") void stop();
  else if (message.kind === "forget") void worker?.then(({ forget }) => forget());
  // The engine has moved: the replacement worker connects to its new address.
  else if (message.status.address?.url !== address) void stop();
  else void worker?.then(({ update }) => update(message.status));
});

async function open(opening: Opening): Promise<Worker> {
  address = opening.status.address?.url;
  try {
    return await openWorker(opening, channel);
  } catch (error) {
    await channel.failed(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await (await worker)?.close();
  await channel.sent();
  process.exit(0);
}

process.once("SIGTERM", () => void stop());
// Ignored: Ctrl-C reaches every process of a terminal, and the owner stops its workers itself.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
