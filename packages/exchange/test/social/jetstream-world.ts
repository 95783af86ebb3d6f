import { serveJetstream } from "../../src/social/jetstream/jetstream-socket.ts";
import { createWorld, type WorldOptions } from "../../src/world/create-world.ts";
import type { SocialHappening } from "../../src/world/social-happenings.ts";
import type { World } from "../../src/world/world.ts";
import { NOON } from "../world/small-world.ts";

export interface JetstreamScene {
  world: World;
  url: string;
  /** Lets world time pass. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** A paused world with much talk and little trade, and its Jetstream. Strangers post only if requested. */
export async function openScene(
  options: Partial<WorldOptions> = {},
  strangers_every_ms: number = 0,
): Promise<JetstreamScene> {
  let now = NOON;
  const sizes = { days: 0.3, events: 40, wallets: 60, kalshi_markets: 5, activity: 0.1, talk: 4 };
  const world = createWorld({ seed: 7, ...sizes, ...options, clock: () => now });
  const { jetstream_url, close } = await serveJetstream({ world, strangers_every_ms });
  const pass = (ms: number): void => {
    now += ms;
    world.advanceTo(now);
  };
  return { world, url: jetstream_url, pass, close };
}

/** Returns whether a happening belongs to Bluesky. */
export function isOfBluesky(happening: SocialHappening): boolean {
  if (happening.kind === "post") return happening.post.source === "bluesky";
  if (happening.kind === "reaction") return happening.reaction.source === "bluesky";
  if (happening.kind !== "removal") return true;
  const { removed } = happening;
  return ("post" in removed ? removed.post : removed.reaction).source === "bluesky";
}
