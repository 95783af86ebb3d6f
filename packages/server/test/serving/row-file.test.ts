import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { RowFile } from "../../src/serving/list/row-file.ts";
import { byBytes } from "../../src/serving/list/row-order.ts";
import { drawOf } from "./random-fills.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-rows-"));
const { below, hex } = drawOf(seededRandom());

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("reads back rows after puts, changes and removals, in a file less than twice their size", () => {
  const file = new RowFile(folder);
  const model = new Map<number, [text: Buffer, shown: number]>();
  for (let step = 0; step < 20_000; step += 1) {
    const row = below(2500);
    if (below(10) === 0) {
      file.remove(row);
      model.delete(row);
      continue;
    }
    const text = Buffer.from(hex(1 + below(400)));
    const shown = below(text.length + 1);
    file.put(row, text, shown);
    model.set(row, [text, shown]);
    const seen = below(2500);
    const held = model.get(seen);
    if (held !== undefined) expect(file.shown(seen).equals(held[0].subarray(0, held[1]))).toBe(true);
  }
  for (const [row, [text, shown]] of model) {
    expect(file.shown(row).equals(text.subarray(0, shown))).toBe(true);
    expect(file.rest(row).equals(text.subarray(shown))).toBe(true);
  }
  const bytes = [...model.values()].reduce((sum, [text]) => sum + text.length, 0);
  expect(file.bytes()).toBeLessThan(bytes * 2);
  file.close();
});

test("orders keys by their bytes", () => {
  const keys = ["", "a", "A", "ab", "\u{1F600}", "\uFB01", "\uD7FF", "\uE000", "a\u{1F600}", "a\uFB01", "Ä", "z"];
  const wanted = keys.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  expect(keys.toSorted(byBytes)).toEqual(wanted);
});
