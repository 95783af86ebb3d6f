// A process that answers requests of the API; start-workers.ts starts it.
import { openOwnerLine } from "./owner-line.ts";
import { openWorker, type Worker } from "./open-worker.ts";
import type { Opening } from "./protocol.ts";

process.title = "almanac-worker";
let worker: Promise<Worker> | undefined;
let address: string | undefined;

const line = openOwnerLine((message) => {
  if (message.kind === "open") worker = open(message.opening);
  else if (message.kind === "stop") void stop();
  else if (message.kind === "forget") void worker?.then(({ forget }) => forget());
  // The engine is elsewhere now: the next process of this number asks it there.
  else if (message.standing.address?.url !== address) void stop();
  else void worker?.then(({ hear }) => hear(message.standing));
});

async function open(opening: Opening): Promise<Worker> {
  address = opening.standing.address?.url;
  try {
    return await openWorker(opening, line);
  } catch (error) {
    await line.failed(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await (await worker)?.close();
  await line.sent();
  process.exit(0);
}

process.once("SIGTERM", () => void stop());
// Ctrl-C reaches every process of a terminal, and the owner says by itself what is to end.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
