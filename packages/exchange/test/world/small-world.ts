import type { Happening } from "../../src/world/contract.ts";
import { createWorld } from "../../src/world/create-world.ts";
import type { World } from "../../src/world/world.ts";
import type { WorldOptions } from "../../src/world/world-options.ts";

export const NOON = Date.UTC(2026, 10, 20, 12);

/** A world of half a day with every happening it told. */
export function smallWorld(options: Partial<WorldOptions> = {}): { world: World; happenings: Happening[] } {
  const happenings: Happening[] = [];
  const world = createWorld({
    seed: 7,
    clock: () => NOON,
    days: 0.5,
    events: 60,
    wallets: 300,
    kalshi_markets: 30,
    activity: 2,
    listener: (happening) => happenings.push(happening),
    ...options,
  });
  return { world, happenings };
}
