import { expect, test } from "vitest";
import { columnsIn } from "../../src/definition/table.ts";
import { isStored } from "../../src/serving/feed/select-served.ts";
import { SERVED, tableOf } from "../../src/main/served-tables.ts";
import { tables } from "../../src/catalogue.ts";

test.each(SERVED.flatMap(({ served }) => served.keys.map((key) => ({ served, key, name: served.name }))))(
  "the sort order of $name by $key contains every served column",
  ({ served, key }) => {
    const stored = tableOf(served);
    const copy = Object.entries(stored.copies ?? {}).find(([, [first]]) => first === key)?.[0];
    const wanted = Object.entries(served.columns).flatMap(([column, kept]) => (isStored(kept) ? [column] : []));
    expect(columnsIn(stored, copy ?? stored.name)).toEqual(expect.arrayContaining(wanted));
  },
);

test("a copy keeps only columns of its table, each named once and none of its sort key", () => {
  for (const { columns, copies = {}, copiedColumns = {} } of tables)
    for (const [copy, kept] of Object.entries(copiedColumns)) {
      expect(Object.keys(columns)).toEqual(expect.arrayContaining([...kept]));
      expect(new Set([...kept, ...(copies[copy] ?? [])]).size).toBe(kept.length + (copies[copy]?.length ?? 0));
      expect(Object.keys(copies)).toContain(copy);
    }
});
