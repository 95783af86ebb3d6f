import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { LimiterMaker } from "../limiter.ts";
import type { OpenRedis } from "./open-redis.ts";
import {
  claimsOf,
  publish,
  type Allowance,
  type Allowances,
  type Claimant,
  type MemoryAllowances,
} from "../allowances.ts";
import { fullOf, PARTS } from "../bucket.ts";

/** Limiters shared between processes; while Redis is away each process counts by itself. */
export function redisLimiter({ client }: OpenRedis): LimiterMaker {
  return (options) =>
    new RateLimiterRedis({
      ...options,
      keyPrefix: `almanac:${options.keyPrefix ?? ""}`,
      storeClient: client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
}

/**
 * One claim on buckets (KEYS: the account's, then the key's if it has one; one slot) in Redis, with the arithmetic of
 * access/bucket.ts: integers, by Redis's own clock. ARGV: "take" or "peek", parts of the claim, the time (Unix ms) if
 * not Redis's, parts of the claim taken before, then for each bucket its parts when full and parts gained per
 * millisecond. Returns whether it was allowed and the parts left in each bucket. An entry expires a minute after its
 * bucket would be full: a missing one is a full one.
 */
const CLAIM_SCRIPT = `
local cost, now, held = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local allowed, parts, at = true, {}, {}
for place, name in ipairs(KEYS) do
  local full, rate = tonumber(ARGV[2 * place + 3]), tonumber(ARGV[2 * place + 4])
  parts[place], at[place] = full, now
  local kept = redis.call('GET', name)
  if kept then
    local before, since = string.match(kept, '^(%-?%d+) (%d+)$')
    at[place] = math.max(now, tonumber(since))
    parts[place] = math.min(full, tonumber(before) + math.max(0, now - tonumber(since)) * rate + held)
  end
  allowed = allowed and parts[place] >= math.min(cost, full)
end
if ARGV[1] == 'take' then
  for place, name in ipairs(KEYS) do
    local full, rate = tonumber(ARGV[2 * place + 3]), tonumber(ARGV[2 * place + 4])
    if allowed then parts[place] = parts[place] - cost end
    local life = math.ceil((full - parts[place]) / rate) + 60000
    redis.call('SET', name, string.format('%.0f %.0f', parts[place], at[place]), 'PX', string.format('%.0f', life))
  end
end
return { allowed and 1 or 0, unpack(parts) }
`;

type Reported = readonly [allowed: number, ...parts: number[]];
type Claiming = { readonly almanacClaim: (...given: (string | number)[]) => Promise<Reported> };

/**
 * Token buckets in Redis, shared by every process that uses it. While Redis is away this process's memory answers, from
 * the last state read from Redis. `now` (Unix ms) replaces Redis's own clock if given.
 */
export function redisAllowances(redis: OpenRedis, memory: MemoryAllowances, now?: () => number): Allowances {
  redis.client.defineCommand("almanacClaim", { lua: CLAIM_SCRIPT });
  const ask = async (
    how: "take" | "peek",
    claimant: Claimant,
    units: number,
    held: number,
  ): Promise<Allowance | undefined> => {
    const claims = claimsOf(claimant);
    const reported = await redis.ask((client) =>
      (client as unknown as Claiming).almanacClaim(
        claims.length,
        ...claims.map(({ name }) => `almanac:bucket:${name}`),
        how,
        units * PARTS,
        now === undefined ? "" : Math.floor(now()),
        held * PARTS,
        ...claims.flatMap(({ pace }) => [fullOf(pace), pace.requestsPerMinute]),
      ),
    );
    if (reported === undefined) return undefined;
    const [allowed, ...parts] = reported;
    memory.keep(claims, parts);
    return publish(claims, parts, units, allowed === 1);
  };
  return {
    take: async (claimant, units = 1, held = 0) =>
      (await ask("take", claimant, units, held)) ?? (await memory.take(claimant, units, held)),
    peek: async (claimant) => (await ask("peek", claimant, 1, 0)) ?? (await memory.peek(claimant)),
  };
}
