/** Patterns that no answer to a client's mistake may contain. */
const LEAKS: readonly RegExp[] = [
  /DB::/g,
  /Code:\s*\d+/g,
  /\b(SELECT|INSERT|UPDATE|DELETE|DROP|ALTER|TRUNCATE|WHERE|PREWHERE|UNION|JOIN|HAVING|GROUP BY|ORDER BY|SETTINGS|FINAL|CAST)\b/g,
  /\b(Decimal(32|64|128)?\(|FixedString|UInt(8|16|32|64|128|256)|Int64|DateTime64|Nullable\(|LowCardinality|Enum8|dictGet|unhex|toDecimal\w*)/g,
  /\b(staged|fresh)_\w+|\b\w+_versions\b|schema_migrations|api_keys/g,
  /(^|[\s"'(:])\/(work|home|tmp|usr|var|etc|root|opt|proc|dev)\//g,
  /node_modules|node:internal|\.(ts|mjs|cjs|js):\d+/g,
  /\bat (async )?[\w.<>]+ \(/g,
  /(Type|Reference|Range|Syntax|Store|Records|Access)Error|Exception|ECONN\w+|EPIPE|ENOENT|stack/g,
  /\[object \w+\]|\bundefined\b/g,
  /polymarket\.com|kalshi\.com|elections\.kalshi|gamma-api|clob\.|polygon-rpc|127\.0\.0\.1/g,
];

/** Searched for only in readable text: a cursor contains the short ones by chance. */
const MADE_WITH = /clickhouse|chdb|pglite|postgres|kysely|fastify|undici|zod/gi;
/** Cursors, digests and ids. */
const OPAQUE = /(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[A-Z])[\w.-]{16,}/g;

/**
 * Returns the leaks in an answer's text, except what the request itself contained: an echo reveals nothing new. `more`
 * have the flag g, like those here.
 */
export function leaksIn(answer: string, request: string, more: readonly RegExp[] = []): string[] {
  const said = request.toLowerCase();
  const found = [...LEAKS, ...more].flatMap((leak) => Array.from(answer.matchAll(leak), ([text]) => text));
  const names = Array.from(answer.replaceAll(OPAQUE, " ").matchAll(MADE_WITH), ([text]) => text);
  return [...found, ...names].map((text) => text.trim()).filter((text) => !said.includes(text.toLowerCase()));
}
