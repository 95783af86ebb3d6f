import { once } from "node:events";
import { measure, type Measured } from "../latency.ts";
import { markdownTable } from "../markdown-table.ts";
import type { PeerIds } from "./ids.ts";
import type { Mix } from "./mixes.ts";
import { startStoring } from "./sides.ts";
import type { Storing } from "./storing-service.ts";

const PER_SECOND = 300;
const CLIENTS = 16;

/** Trades while nothing is stored, and while 300 fills a second are; the store is left as it was. */
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
    begun += measured.asked;
    lines.push([name, measured]);
  };
  try {
    // Tokens are learnt once.
    await run("first");
    await run("quiet");
    const { wallets, tokens } = ids;
    const storing: Storing = { perSecond: PER_SECOND, wallets: wallets.slice(0, 5000), tokens: tokens.slice(0, 5000) };
    side.child.send(storing);
    await run(`${PER_SECOND} fills/s stored`);
    side.child.send({ ...storing, perSecond: 0 });
    await once(side.child, "message");
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
