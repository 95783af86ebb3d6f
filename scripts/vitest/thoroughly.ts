/**
 * `npm run test:thorough` takes every test at its full length: all hostile values, both sources of fills, more runs by
 * chance. An ordinary run takes a part of each, so that it stays short.
 */
export const thoroughly = <Value>(whole: Value, part: Value): Value =>
  process.env["TEST_LEVEL"] === "thorough" ? whole : part;
