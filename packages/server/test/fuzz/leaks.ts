/** What no answer to a caller's mistake may hold. */
const LEAKS: readonly RegExp[] = [
  /DB::/,
  /Code:\s*\d+/,
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

/** Looked for in what a person reads only: by chance a cursor spells the short ones. */
const MADE_WITH = /clickhouse|chdb|pglite|postgres|kysely|fastify|undici|zod/gi;
/** Cursors, digests and ids. */
const OPAQUE = /(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[A-Z])[\w.-]{16,}/g;

/** The leaks in an answer's text, leaving out what the request itself said: an echo tells nobody anything new. */
export function leaksIn(answer: string, request: string, more: readonly RegExp[] = []): string[] {
  const said = request.toLowerCase();
  const found = [...LEAKS, ...more].flatMap((leak) => {
    const every = new RegExp(leak.source, leak.flags.includes("g") ? leak.flags : `${leak.flags}g`);
    return Array.from(answer.matchAll(every), ([text]) => text);
  });
  const names = Array.from(answer.replaceAll(OPAQUE, " ").matchAll(MADE_WITH), ([text]) => text);
  return [...found, ...names].map((text) => text.trim()).filter((text) => !said.includes(text.toLowerCase()));
}
