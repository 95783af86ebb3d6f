import { textTable } from "../../packages/server/src/cli/text-table.ts";
import type { Accuracy } from "./world-store.ts";
import { type Agreement, type PnlVerdict, comparePnl } from "./pnl/compare-pnl.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServeOptions } from "../../packages/exchange/src/serve-options.ts";
import { connectors } from "../../packages/server/src/catalogue.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";
import { openScene, type Running } from "../verify/scene.ts";
import { settle } from "../verify/settle.ts";
import { SOCIAL_STREAMS } from "../verify/social-streams.ts";

/** Worlds that the whole service ingests call by call: smaller than those loaded from files. */
const WORLD = { events: 60, wallets: 400, kalshi_markets: 5, activity: 2 };
const DAYS = 1;
const FIGURES = ["cash", "realized", "residual"] as const;

/** Every wallet's cash, realised profit and residual against the ground truth of worlds that the service ingested. */
export const accuracyOfPnl: Accuracy = async (worlds) => {
  const value: PnlVerdict[] = [];
  for (const { seed } of worlds) value.push(await gatherPnl({ seed, days: DAYS, world: WORLD, say: print }));
  const rows = value.flatMap((verdict) =>
    FIGURES.map((figure) => [String(verdict.seed), String(verdict.fills), figure].concat(shown(verdict[figure]))),
  );
  const text = textTable(["SEED", "FILLS", "FIGURE", "EXACT", "ALL", "LARGEST DIFFERENCE, USD", "WHERE"], rows);
  return { text, value };
};

const print = (text: string): void => void process.stderr.write(`${text}\n`);

const shown = ({ exact, all, largestUsd, where }: Agreement): string[] => [
  String(exact),
  String(all),
  largestUsd.toFixed(6),
  where,
];

/** Streams that wallets' money does not depend on: they would take most of the time. */
const OFF = connectors
  .map(({ name }) => name)
  .filter((name) => name.startsWith("kalshi-") || name.endsWith("-rtds") || name === "polymarket-book")
  .concat(SOCIAL_STREAMS);
const SETTLE_MS = 1_200_000;
/** A busy machine may pause between two batches for longer than one settling watches. */
const LOOKS = 5;
const LOOK_MS = 5000;

/** Has the whole service ingest a paper-exchange world and fold its wallets; compares them with the ground truth. */
export async function gatherPnl(options: {
  readonly seed: number;
  readonly days: number;
  readonly world: ServeOptions["world"];
  /** See `openScene`. */
  readonly expedite?: number;
  /** See `openScene`. */
  readonly derived?: readonly string[] | undefined;
  readonly say: (text: string) => void;
}): Promise<PnlVerdict> {
  const { seed, days, world, expedite, derived, say } = options;
  const scene = await openScene({ seed, days, world, streamsOff: OFF, expedite, derived });
  try {
    say(`seed ${seed}: ${scene.exchange.world.truth().fills} fills`);
    const running = await scene.startService("chain");
    await running.gatherPast();
    say(`seed ${seed}: gathered; waiting until everything is derived`);
    await settle(running, SETTLE_MS);
    return await settledPnl(scene.exchange.world, running, say);
  } finally {
    await scene.close();
  }
}

/** The figures of a settled service; checked again while they do not all agree. */
export async function settledPnl(world: World, running: Running, say: (text: string) => void): Promise<PnlVerdict> {
  let verdict = await comparePnl(world, running.store);
  for (let look = 1; look < LOOKS && !isExact(verdict); look += 1) {
    say(`seed ${world.seed}: not all agree yet; looked at again`);
    await sleep(LOOK_MS);
    await settle(running, SETTLE_MS);
    verdict = await comparePnl(world, running.store);
  }
  return verdict;
}

const isExact = ({ cash, realized, residual }: PnlVerdict): boolean =>
  [cash, realized, residual].every(({ exact, all }) => exact === all);
