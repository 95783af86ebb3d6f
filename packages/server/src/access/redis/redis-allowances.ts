import type { Allowances, Claimant, MemoryAllowances } from "../allowances.ts";
import { PARTS, fullOf, toAllowance } from "../token-bucket.ts";
import type { OpenRedis } from "./open-redis.ts";
import { TAKE_SCRIPT } from "./take-script.ts";

type Told = readonly [allowed: number, parts: number];
type Taking = { readonly almanacTake: (...given: (string | number)[]) => Promise<Told> };

/**
 * Token buckets in Redis, one a key, shared by every process that uses it. While Redis is away this process's memory
 * answers, from what Redis last said. `now` (Unix ms) in place of Redis's own clock, where one is given.
 */
export function redisAllowances(redis: OpenRedis, memory: MemoryAllowances, now?: () => number): Allowances {
  redis.client.defineCommand("almanacTake", { numberOfKeys: 1, lua: TAKE_SCRIPT });
  const ask = async ({ keyId, plan }: Claimant, how: "take" | "peek"): Promise<Told | undefined> => {
    const told = await redis.ask((client) =>
      (client as unknown as Taking).almanacTake(
        `almanac:bucket:${keyId}`,
        fullOf(plan),
        plan.requestsPerMinute,
        PARTS,
        how,
        now === undefined ? "" : Math.floor(now()),
      ),
    );
    if (told !== undefined) memory.keep(keyId, told[1]);
    return told;
  };
  return {
    take: async (claimant) => {
      const told = await ask(claimant, "take");
      return told === undefined ? await memory.take(claimant) : toAllowance(claimant.plan, told[0] === 1, told[1]);
    },
    peek: async (claimant) => {
      const told = await ask(claimant, "peek");
      return told === undefined ? await memory.peek(claimant) : toAllowance(claimant.plan, told[0] === 1, told[1]);
    },
  };
}
