import { examplesOf } from "../../src/definition/example-values.ts";
import { expect, test } from "vitest";
import { datasets, tables } from "../../src/catalogue.ts";
import type { ServedKeyed } from "../../src/definition/served-keyed.ts";
import { bind } from "../../src/definition/sql.ts";
import { compose } from "../../src/query/compose.ts";
import { parseParams } from "../../src/query/parse-params.ts";
import { sourcesOf } from "../../src/query/requested-of.ts";

/** Tables by every name that a statement may use: their own, those of their copies and of their dictionaries. */
const byName = new Map(
  tables.flatMap(({ name, copies = {}, dictionary }) =>
    [name, ...Object.keys(copies), ...(dictionary ? [dictionary.name] : [])].map((each) => [each, name]),
  ),
);

test.for(
  datasets.flatMap((dataset) =>
    examplesOf(dataset).map((example) => [dataset.name, example.title, dataset, example] as const),
  ),
)("%s, %s: reads only tables whose changes invalidate a cached answer", ([, , dataset, { params }]) => {
  const { given } = parseParams(dataset, params, "reject");
  const sources = sourcesOf(dataset, given).map(({ name }) => name);
  if (dataset.query === undefined) {
    const { tables: rows, tokens } = dataset.served as ServedKeyed;
    expect(rows.length).toBeGreaterThan(0);
    expect(sources).toEqual(expect.arrayContaining([...rows, ...(tokens ? [tokens] : [])].map(({ name }) => name)));
    return;
  }
  const now = bind("Int64", "1790000000000000");
  const held = dataset.held ? { held: {} } : {};
  const { statement } = compose(dataset, given, { rows: 10, offset: 0, format: "raw", now, ...held });
  const read = [...statement.text.matchAll(/\b[a-z_0-9]+\b/g)].flatMap(([word]) => byName.get(word) ?? []);
  expect(read.length).toBeGreaterThan(0);
  expect(sources).toEqual(expect.arrayContaining(read));
  expect(statement.text).not.toMatch(/\b(now|now64|today|yesterday)\(/);
});
