import type { Happening } from "../../src/world/contract.ts";
import { createWorld, type WorldOptions } from "../../src/world/create-world.ts";
import type { World } from "../../src/world/world.ts";

export const NOON = Date.UTC(2026, 10, 20, 12);

/** A world of six hours with every happening it emitted; takes a third of a second. */
export function smallWorld(options: Partial<WorldOptions> = {}): { world: World; happenings: Happening[] } {
  const happenings: Happening[] = [];
  const world = createWorld({
    seed: 7,
    clock: () => NOON,
    days: 0.25,
    events: 40,
    wallets: 200,
    kalshi_markets: 10,
    activity: 2,
    listener: (happening) => happenings.push(happening),
    ...options,
  });
  return { world, happenings };
}
