/** What no answer to a caller's mistake may hold. */
const LEAKS: readonly RegExp[] = [
  /DB::/,
  /Code:\s*\d+/,
  /clickhouse|chdb|libchdb|pglite|postgres|kysely|fastify|undici|zod/i,
  /\b(SELECT|INSERT|UPDATE|DELETE|DROP|ALTER|TRUNCATE|WHERE|PREWHERE|UNION|JOIN|HAVING|GROUP BY|ORDER BY|SETTINGS|FINAL|CAST)\b/,
  /\b(Decimal(32|64|128)?\(|FixedString|UInt(8|16|32|64|128|256)|Int64|DateTime64|Nullable\(|LowCardinality|Enum8|dictGet|unhex|toDecimal\w*)/,
  /\b(staged|fresh)_\w+|\b\w+_versions\b|schema_migrations|api_keys/,
  /(^|[\s"'(:])\/(work|home|tmp|usr|var|etc|root|opt|proc|dev)\//,
  /node_modules|node:internal|\.(ts|mjs|cjs|js):\d+/,
  /\bat (async )?[\w.<>]+ \(/,
  /(Type|Reference|Range|Syntax|Store|Records|Access)Error|Exception|ECONN\w+|EPIPE|ENOENT|stack/,
  /\[object \w+\]|\bundefined\b/,
  /polymarket\.com|kalshi\.com|elections\.kalshi|gamma-api|clob\.|polygon-rpc|127\.0\.0\.1/,
];

/** The leaks in an answer's text, leaving out what the request itself said: an echo tells nobody anything new. */
export function leaksIn(answer: string, request: string, more: readonly RegExp[] = []): string[] {
  const said = request.toLowerCase();
  return [...LEAKS, ...more].flatMap((leak) => {
    const every = new RegExp(leak.source, leak.flags.includes("g") ? leak.flags : `${leak.flags}g`);
    return [...answer.matchAll(every)]
      .map((match) => match[0].trim())
      .filter((text) => !said.includes(text.toLowerCase()));
  });
}
