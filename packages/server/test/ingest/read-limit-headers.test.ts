import { expect, test } from "vitest";
import { readLimitHeaders } from "../../src/ingest/feed/read-limit-headers.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const read = (headers: Readonly<Record<string, string>>) => readLimitHeaders((name) => headers[name] ?? null, NOW);

test.each([
  ["ratelimit-", "30"],
  ["x-ratelimit-", String(NOW / 1000 + 30)],
  // X spells them so, and sends no Retry-After.
  ["x-rate-limit-", String(NOW / 1000 + 30)],
])("reads what is left of a limit, and when it is renewed, from %s headers", (prefix, reset) => {
  const headers = { [`${prefix}limit`]: "450", [`${prefix}remaining`]: "9", [`${prefix}reset`]: reset };
  expect(read(headers)).toEqual({ remainingShare: 0.02, resetMs: 30_000 });
  expect(read({ ...headers, [`${prefix}remaining`]: "0" })).toMatchObject({ remainingShare: 0 });
});
