import { type Allowances, type Claimant, type MemoryAllowances, PARTS, fullOf, toAllowance } from "../allowances.ts";
import type { OpenRedis } from "./open-redis.ts";

/**
 * One claim on a bucket (KEYS[1]) in Redis, in the arithmetic of access/allowances.ts: whole numbers, by Redis's own
 * clock. ARGV: parts of a full bucket, parts gained a millisecond, parts of a request, "take" or "peek", and the
 * moment (Unix ms) where it is not Redis's. Gives whether it was allowed and the parts that are left. What is kept goes
 * a minute after the bucket would be full: none is a full one.
 */
const TAKE_SCRIPT = `
local full, rate, each = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local parts, at = full, now
local kept = redis.call('GET', KEYS[1])
if kept then
  local before, since = string.match(kept, '^(%d+) (%d+)$')
  at = math.max(now, tonumber(since))
  parts = math.min(full, tonumber(before) + math.max(0, now - tonumber(since)) * rate)
end
local allowed = parts >= each
if ARGV[4] == 'take' then
  if allowed then parts = parts - each end
  local life = math.ceil((full - parts) / rate) + 60000
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', parts, at), 'PX', string.format('%.0f', life))
end
return { allowed and 1 or 0, parts }
`;

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
