import type { ServeOptions } from "../../../packages/exchange/src/serve-options.ts";
import { connectors } from "../../../packages/server/src/catalogue/connectors.ts";
import { openScene } from "../../verify/scene.ts";
import { settle } from "../../verify/settle.ts";
import { comparePnl, type PnlVerdict } from "./compare-pnl.ts";

/** Only what wallets' money hangs on: the rest would take most of the time. */
const OFF = connectors
  .map(({ name }) => name)
  .filter((name) => name.startsWith("kalshi-") || name.endsWith("-rtds") || name === "polymarket-book");
const SETTLE_MS = 1_200_000;

/** Has the whole service gather a world of the paper exchanges and fold its wallets, and holds them against the truth. */
export async function gatherPnl(options: {
  readonly seed: number;
  readonly days: number;
  readonly world: ServeOptions["world"];
  readonly say: (text: string) => void;
}): Promise<PnlVerdict> {
  const { seed, days, world, say } = options;
  const scene = await openScene({ seed, days, world, streamsOff: OFF });
  try {
    say(`seed ${seed}: ${scene.exchange.world.truth().fills} fills`);
    const running = await scene.startService("chain");
    await running.gatherPast();
    say(`seed ${seed}: gathered; waiting until all is worked out`);
    await settle(running, SETTLE_MS);
    return await comparePnl(scene.exchange.world, running.store);
  } finally {
    await scene.close();
  }
}
