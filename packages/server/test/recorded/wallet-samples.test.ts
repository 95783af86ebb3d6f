import { describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { jsonOf, noRecordings, type RecordedRow } from "./recordings.ts";

/** Wire types that a recorded value may have in our answers. */
function wiresOf(value: unknown): readonly string[] {
  if (typeof value === "boolean") return ["flag"];
  if (typeof value === "number") return ["num", "int"];
  const text = String(value);
  const places = /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length;
  if (places !== undefined) return [`dec(${places})`];
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return ["iso"];
  return ["id", "text", "json string"];
}

/** Fields of a recorded row that ours lacks or has in another form. */
function strange(agentId: number, row: RecordedRow): string[] {
  const fields = datasets.find((one) => one.agentId === agentId)?.row ?? {};
  return Object.entries(row).flatMap(([name, value]) => {
    const column = fields[name];
    if (column === undefined) return [`${name} is missing`];
    if (value === null) return column.nullable ? [] : [`${name} is never null`];
    return wiresOf(value).includes(column.wire) ? [] : [`${name} is ${column.wire}, was ${JSON.stringify(value)}`];
  });
}

describe.skipIf(noRecordings)(`recorded rows of wallets${noRecordings ? `: ${noRecordings}` : ""}`, () => {
  it("have the names, types and decimals of 569", () => {
    const rows = jsonOf<RecordedRow[][]>("wire-samples/569_rows.json").flat();
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(strange(569, row)).toEqual([]);
  });

  it("have the names, types and decimals of 579", () => {
    const rows = Object.values(jsonOf<Record<string, RecordedRow[]>>("wire-samples/579_by_period.json")).flat();
    expect(rows).toHaveLength(300);
    for (const row of rows) expect(strange(579, row)).toEqual([]);
  });

  it("have the names, types and decimals of all 67 fields of 581", () => {
    const rows = jsonOf<RecordedRow[]>("wire-samples/581_rows.json");
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      expect(Object.keys(row)).toHaveLength(67);
      expect(strange(581, row)).toEqual([]);
      const [category = {}] = JSON.parse(String(row["performance_by_category"])) as RecordedRow[];
      const shape = datasets.find((one) => one.agentId === 581)?.row["performance_by_category"]?.json.typed ?? {};
      const { properties } = shape["items"] as { properties: object };
      expect(Object.keys(properties).sort()).toEqual(Object.keys(category).sort());
    }
  });
});
