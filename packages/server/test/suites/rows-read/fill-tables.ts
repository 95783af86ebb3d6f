import { fromDefinition } from "../../../src/definition/sql.ts";
import { columnsIn } from "../../../src/definition/table.ts";
import type { OpenStore } from "../../../src/store/open-store.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { HOT_ROWS, WHEN_STORED } from "./hot-rows.ts";

/** Inserts rows in time order, so many per table: far more than a page by key has to read. */
export async function fillTables(store: OpenStore): Promise<void> {
  for (const [name, { rows, columns }] of Object.entries(HOT_ROWS)) {
    const definition = table(name);
    const { columns: own, copies = {} } = definition;
    const stored = Object.entries(WHEN_STORED).filter(([column]) => column in own);
    const values = [...stored, ...Object.entries(columns)];
    const into = values.map(([column]) => column).join(", ");
    const made = values.map(([column, value]) => `${value} AS ${column}`).join(", ");
    await store.run(fromDefinition(`INSERT INTO ${name} (${into}) SELECT ${made} FROM numbers(${rows})`), ONE_PART);
    for (const copy of Object.keys(copies)) {
      const held = columnsIn(definition, copy);
      const copied = values.flatMap(([column]) => (held.includes(column) ? [column] : [])).join(", ");
      await store.run(fromDefinition(`INSERT INTO ${copy} (${copied}) SELECT ${copied} FROM ${name}`), ONE_PART);
    }
  }
  await store.reload("polymarket_token_info");
}

/** One part per partition, whatever is merged meanwhile, so that a statement reads the same rows in every run. */
const ONE_PART = { max_insert_block_size: 1_000_000, min_insert_block_size_rows: 1_000_000, max_insert_threads: 1 };
