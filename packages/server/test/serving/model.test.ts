import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import type { PlainRow } from "../../src/serving/batch.ts";
import { identityOf } from "../../src/serving/order.ts";
import type { Page } from "../../src/serving/page.ts";
import type { Question } from "../../src/serving/reader.ts";
import { ServingWriter } from "../../src/serving/writer.ts";
import { fill, fillsTable } from "./fills.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-serving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEYS = 12;
const random = seededRandom();
const below = (end: number): number => Math.floor(random() * end);

/** The order of the trees: seconds, then both hashes. */
function orderOf({ ts, tx_hash: tx, order_hash: order }: PlainRow): string {
  const [a, b] = [String(tx), String(order)];
  return `${String(ts).padStart(10, "0")}${a}${b}`;
}

const compare = (a: PlainRow, b: PlainRow): number => (orderOf(a) < orderOf(b) ? -1 : 1);

/** A reference model that searches all rows linearly. */
class Model {
  readonly rows = new Map<string, PlainRow>();

  find({ by, before, from = 0, to = Infinity }: Question & { readonly beforeRow?: PlainRow }, beforeRow?: PlainRow) {
    expect(before === undefined).toBe(beforeRow === undefined);
    return [...this.rows.values()]
      .filter((row) => by === undefined || by.values.includes(String(row[by.column])))
      .filter((row) => Number(row["ts"]) >= from && Number(row["ts"]) <= to)
      .filter((row) => beforeRow === undefined || orderOf(row) < orderOf(beforeRow))
      .toSorted((a, b) => compare(b, a));
  }
}

class Both {
  readonly index: ServingWriter;
  readonly model = new Model();

  constructor(name: string) {
    this.index = ServingWriter.open(join(folder, name), fillsTable);
  }

  batchOf(rows: readonly PlainRow[]) {
    const batch = this.index.batch();
    for (const row of rows) batch.add(row);
    return batch;
  }

  identity(row: PlainRow) {
    return identityOf(this.batchOf([row]).rows, 0);
  }

  apply(adds: readonly PlainRow[], removes: readonly PlainRow[]): void {
    this.index.apply({ adds: this.batchOf(adds), removes: removes.map((row) => this.identity(row)) });
    for (const row of removes) this.model.rows.delete(orderOf(row));
    for (const row of adds) this.model.rows.set(orderOf(row), row);
  }

  build(rows: readonly PlainRow[]): void {
    for (const column of [undefined, ...fillsTable.keys]) {
      const ordered = rows.toSorted((a, b) => {
        const [keyA, keyB] = column === undefined ? ["", ""] : [String(a[column]), String(b[column])];
        return keyA < keyB ? -1 : keyA > keyB ? 1 : compare(a, b);
      });
      const builder = this.index.build(column);
      for (let from = 0; from < ordered.length; from += 700) builder.add(this.batchOf(ordered.slice(from, from + 700)));
      builder.end();
    }
    for (const row of rows) this.model.rows.set(orderOf(row), row);
  }

  removeRange(from: number, to: number): void {
    const gone = this.model.find({ from, to, limit: 0, budget: 0 });
    expect(this.index.removeRange(from, to)).toBe(gone.length);
    for (const row of gone) this.model.rows.delete(orderOf(row));
  }

  rowsOf(page: Page): PlainRow[] {
    const view = this.index.view();
    return page.rows.rows.map((rows, index) => {
      view.move(rows, page.rows.atOf(index));
      return Object.fromEntries(this.index.layout.columns.map((column) => [column.name, view.value(column)]));
    });
  }

  /** Checks one page of a random query, and all that follow it by cursor. */
  checkPage(question: Question, beforeRow: PlainRow | undefined): void {
    const { limit, budget } = question;
    const wanted = this.model.find(question, beforeRow);
    const column = this.index.layout.column("log_index");
    const modulus = 1 + below(4);
    const isWanted = (number: unknown) => Number(number) % modulus === 0;
    let before = question.before;
    for (let at = 0; ;) {
      const page = this.index.page({ ...question, before, test: (row) => isWanted(row.number(column)) });
      const looked = wanted.slice(at, at + page.searched);
      expect(this.rowsOf(page)).toEqual(looked.filter((row) => isWanted(row["log_index"])));
      at += page.searched;
      expect(page.searched).toBeLessThanOrEqual(budget);
      if (page.end === "rows") {
        expect(at).toBe(wanted.length);
        return;
      }
      expect(page.end).toBe(page.rows.length === limit ? "limit" : "budget");
      if (page.end === "budget") expect(page.searched).toBe(budget);
      before = page.last;
    }
  }

  checkPages(count: number, seconds: number): void {
    const rows = [...this.model.rows.values()];
    for (let check = 0; check < count; check += 1) {
      const column = [undefined, ...fillsTable.keys][below(4)];
      const some = rows[below(rows.length)];
      const values = Array.from({ length: 1 + below(3) }, () => String(rows[below(rows.length)]?.[column ?? ""]));
      const beforeRow = below(2) === 0 ? some : undefined;
      this.checkPage(
        {
          by: column === undefined || rows.length === 0 ? undefined : { column, values },
          before: beforeRow && this.identity(beforeRow),
          from: below(2) === 0 ? below(seconds) : undefined,
          to: below(2) === 0 ? below(seconds) : undefined,
          limit: 50 + below(400),
          budget: 100 + below(800),
        },
        beforeRow,
      );
    }
  }
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

test.each([
  ["appends from nothing", 0],
  ["after a bulk build", 3000],
])("an index returns what an array of the same rows returns: %s", (name, built) => {
  const both = new Both(name.replaceAll(" ", "-"));
  both.build(times(built, (index) => fill(Math.floor(index / 7), index, below(KEYS))));
  both.checkPages(12, built / 7);
  let newest = Math.floor(built / 7);
  for (let round = 0; round < thoroughly(80, 40); round += 1) {
    const held = [...both.model.rows.values()];
    const old = () => held[below(held.length)];
    const seconds = newest + 1;
    const late = () => fill(below(seconds), 50_000 + round * 100 + below(100), below(KEYS));
    const isBusy = below(3) === 0;
    const adds = times(below(isBusy ? 300 : 20), (index) =>
      fill(newest + below(3), 10_000 + round * 300 + index, below(KEYS)),
    );
    if (below(3) === 0) adds.push(...times(below(30), late));
    const again = times(below(2) * below(20), old).filter((row) => row !== undefined);
    // The same rows, rows with other columns, and rows under other keys.
    adds.push(...again.map((row, index) => (index % 3 === 0 ? row : { ...row, usd: `${round}.5`, label: "moved" })));
    for (const row of again.slice(0, 5)) adds.push({ ...row, wallet: `0x${"ab".repeat(20)}`, token_id: String(round) });
    const removes = below(3) === 0 ? times(below(40), old).filter((row) => row !== undefined) : [];
    both.apply(adds, removes);
    newest += below(3);
    if (below(10) === 0) both.removeRange(Math.max(0, newest - below(12)), newest + 5);
    if (below(12) === 0) both.removeRange(below(seconds), below(seconds));
    if (round % 8 === 7) both.checkPages(10, newest);
  }
  both.removeRange(0, 4_294_967_295);
  expect(both.index.page({ limit: 10, budget: 10 }).end).toBe("rows");
  both.index.close();
});

test("tails of a few rows grow into full entries and can be read from any row on", () => {
  const both = new Both("tails");
  for (let round = 0; round < thoroughly(400, 200); round += 1) {
    both.apply(
      times(1 + below(4), (index) => fill(10 + round, round * 10 + index, below(2))),
      [],
    );
    if (round % 20 === 19) both.checkPages(8, 10 + round);
  }
  const [tree] = both.index.trees;
  const entries = tree?.entries(Buffer.from([0]), 1000) ?? [];
  // All but the last few entries are full, or nearly so.
  expect(entries.length).toBeLessThan(both.model.rows.size / 112 + 8);
  both.index.close();
});
