import type { ChildProcess } from "node:child_process";
import { measure, type Measured } from "../latency.ts";
import { markdownTable } from "../markdown-table.ts";
import type { PeerIds } from "./ids.ts";
import type { Mix } from "./mixes.ts";
import { startStoring } from "./sides.ts";
import type { Storing } from "./storing-service.ts";

const PER_SECOND = 300;
const CLIENTS = 16;
/** Message from the service (storing-service.ts). */
const TAKEN_AWAY = "taken away";

/** Makes a service store fills from now on, one batch a second. */
export const beginStoring = (child: ChildProcess, { wallets, tokens }: PeerIds): unknown =>
  child.send({
    perSecond: PER_SECOND,
    wallets: wallets.slice(0, 5000),
    tokens: tokens.slice(0, 5000),
  } satisfies Storing);

/** Waits until all stored fills are removed again. */
export async function endStoring(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    child.on("message", function received(message) {
      if (message !== TAKEN_AWAY) return;
      child.off("message", received);
      resolve();
    });
  });
  child.send({ perSecond: 0, wallets: [], tokens: [] } satisfies Storing);
  await ended;
}

/** Latency of trades queries while idle, and while 300 fills a second are stored; the store is left as it was. */
export async function benchStoring(data: string, ids: PeerIds, mix: Mix, seconds: number): Promise<string> {
  const side = await startStoring(data);
  const lines: [string, Measured][] = [];
  let begun = 0;
  const run = async (name: string): Promise<void> => {
    const measured = await measure(
      CLIENTS,
      seconds,
      async (turn) => (await side.ask(mix.questionAt(begun + turn))).isGood,
    );
    begun += measured.requested;
    lines.push([name, measured]);
  };
  try {
    // The first run resolves tokens, which happens once.
    await run("first");
    await run("quiet");
    beginStoring(side.child, ids);
    await run(`${PER_SECOND} fills/s stored`);
    await endStoring(side.child);
  } finally {
    await side.stop();
  }
  return markdownTable(
    ["trades, 16 clients", "requests/s", "p50 ms", "p99 ms", "failed"],
    lines
      .slice(1)
      .map(([name, { perSecond, p50, p99, failed }]) => [
        name,
        perSecond.toFixed(0),
        p50.toFixed(2),
        p99.toFixed(1),
        String(failed),
      ]),
  );
}
