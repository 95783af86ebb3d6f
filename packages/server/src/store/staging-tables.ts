import { randomBytes } from "node:crypto";
import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { createStaging } from "./ddl.ts";

type Run = (statement: Sql) => Promise<unknown>;

/** The tables in memory in which a writer has a batch, and what is new of it, until it is stored. */
export class StagingTables {
  readonly #table: TableDefinition;
  readonly staged: string;
  readonly fresh: string;
  /** Those that may have rows. */
  readonly #filled = new Set<string>();

  /** Named for the fence's token and for the process: see endWriters. */
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

  async drop(run: Run): Promise<void> {
    for (const name of [this.staged, this.fresh]) await run(fromDefinition(`DROP TABLE IF EXISTS ${name} SYNC`));
  }

  fill(name: string): void {
    this.#filled.add(name);
  }

  /** Nothing went into it after all. */
  spare(name: string): void {
    this.#filled.delete(name);
  }

  /** Most batches of a poll bring nothing new, and a statement costs the same for a table without rows. */
  async empty(run: Run): Promise<void> {
    for (const name of this.#filled) await run(fromDefinition(`TRUNCATE TABLE ${name}`));
    this.#filled.clear();
  }
}
