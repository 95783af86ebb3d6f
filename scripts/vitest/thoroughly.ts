/**
 * `npm run test:thorough` runs every test at full length: all hostile values, both sources of fills, more random runs.
 * An ordinary run takes a part of each, so that it stays short.
 */
export const thoroughly = <Value>(whole: Value, part: Value): Value =>
  process.env["TEST_LEVEL"] === "thorough" ? whole : part;
