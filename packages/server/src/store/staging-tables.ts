import { randomBytes } from "node:crypto";
import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { createStaging } from "./ddl.ts";
import { StoreError } from "./statement.ts";

type Run = (statement: Sql) => Promise<unknown>;
/** Returns the first row. */
type Read = <T>(statement: Sql) => Promise<T | undefined>;

/** An engine that was restarted behind its address still has the staging tables, but empty. */
export const engineRestarted = (): StoreError =>
  new StoreError("absent", 0, "the engine was restarted while rows were being stored");

/** The in-memory tables that hold a writer's batch, and its new rows, until they are stored. */
export class StagingTables {
  readonly #table: TableDefinition;
  readonly staged: string;
  readonly fresh: string;
  /** Tables that may have rows. */
  readonly #filled = new Set<string>();

  /** Named after the fence's token and the writer: see endWriters. */
  constructor(table: TableDefinition, token: number) {
    const writer = `${token}_${randomBytes(6).toString("hex")}`;
    this.#table = table;
    this.staged = `staged_${table.name}_${writer}`;
    this.fresh = `fresh_${table.name}_${writer}`;
  }

  async create(run: Run): Promise<void> {
    for (const name of [this.staged, this.fresh]) await run(fromDefinition(createStaging(this.#table, name)));
    this.#filled.clear();
  }

  /** Throws StoreError if the batch is not complete there. */
  async requireHeld(sent: number, read: Read): Promise<void> {
    const held = await read<{ n: number }>(fromDefinition(`SELECT toUInt32(count()) AS n FROM ${this.staged}`));
    if (held?.n !== sent) throw engineRestarted();
  }

  async drop(run: Run): Promise<void> {
    for (const name of [this.staged, this.fresh]) await run(fromDefinition(`DROP TABLE IF EXISTS ${name} SYNC`));
  }

  fill(name: string): void {
    this.#filled.add(name);
  }

  /** Marks a table as empty: nothing was written to it after all. */
  spare(name: string): void {
    this.#filled.delete(name);
  }

  /**
   * Only tables that may have rows: most batches of a poll are not new, and truncating an empty table costs as much.
   */
  async empty(run: Run): Promise<void> {
    for (const name of this.#filled) await run(fromDefinition(`TRUNCATE TABLE ${name}`));
    this.#filled.clear();
  }
}
