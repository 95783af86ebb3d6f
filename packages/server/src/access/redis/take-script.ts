/**
 * One claim on a bucket (KEYS[1]) in Redis, in the arithmetic of access/token-bucket.ts: whole numbers, by Redis's own
 * clock. ARGV: parts of a full bucket, parts gained a millisecond, parts of a request, "take" or "peek", and the
 * moment (Unix ms) where it is not Redis's. Gives whether it was allowed and the parts that are left. What is kept goes
 * a minute after the bucket would be full: none is a full one.
 */
export const TAKE_SCRIPT = `
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
