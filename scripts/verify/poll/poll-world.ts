import { connectors } from "../../../packages/server/src/catalogue.ts";
import { openScene } from "../scene.ts";
import { settle } from "../settle.ts";
import type { VerifyOptions } from "../verify-world.ts";
import { TradePoll, type Polled, type PollLength } from "./trade-poll.ts";

/** With `expedite` the measured freshness is not that of a real service. */
export type PollOptions = PollLength &
  Pick<VerifyOptions, "seed" | "days" | "source" | "settleMs" | "world" | "expedite" | "derived" | "say">;

const CONFIRMED_MS = 10_000;
const ASIDE = new Set(["polymarket-book", "polymarket-income"]);
/** Only trades are polled. */
const OFF = connectors.filter(({ name, venue }) => venue !== "polymarket" || ASIDE.has(name)).map(({ name }) => name);

/** Opens a world of its own for clients that poll its newest trades (`TradePoll`). */
export async function pollWorld(options: PollOptions): Promise<Polled> {
  const { seed, days, source, settleMs, expedite, derived, say } = options;
  const scene = await openScene({ seed, days, world: options.world, streamsOff: OFF, expedite, derived });
  const { world, clock } = scene.exchange;
  try {
    let running = await scene.startService(source);
    say("waiting until all is caught up");
    await settle(running, settleMs);
    clock.jumpTo(Date.now());
    clock.setSpeed(1);
    say(`polling for ${options.seconds} s, fills by the ${source}`);
    const poll = new TradePoll(scene.exchange, running, source);
    await poll.live(options);
    clock.setSpeed(0);
    say("the world stands still; waiting until all is caught up");
    await settle(running, settleMs);
    await poll.still();
    if (source === "data") {
      await running.stop();
      clock.jumpTo(world.reached() + CONFIRMED_MS);
      running = await scene.startService("chain");
      await running.gatherPast();
      await settle(running, settleMs);
      await poll.onChain(running);
    }
    return poll.end();
  } finally {
    await scene.close();
  }
}
