import type { Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { findAhead, takeBackAhead } from "./copies-ahead.ts";
import { dropCutOff, findCutOff, rowsCutOff, type CutOff } from "./cut-off.ts";
import { hasVersions } from "./ddl.ts";
import type { EngineLine } from "./engine-line.ts";

type Of = Pick<EngineLine, "cluster"> & {
  readonly table: TableDefinition;
  readonly nextVersion: () => bigint;
  readonly run: (statement: Sql) => Promise<unknown>;
  /** The first row. */
  readonly read: <T>(statement: Sql) => Promise<T | undefined>;
};

/**
 * What inserts left that were cut off between a table and its copies, on a cluster also between two replicas or two
 * nodes.
 */
export class Unfinished {
  readonly #of: Of;
  #isSettled = false;

  constructor(of: Of) {
    this.#of = of;
  }

  /** There may be something again. */
  forget(): void {
    this.#isSettled = false;
  }

  /** Before anything is compared. */
  async settle(): Promise<void> {
    if (this.#isSettled) return;
    const { name, copies, keepVersionsHours } = this.#of.table;
    const kept = keepVersionsHours === undefined ? [] : [`${name}_versions`];
    for (const each of [...kept, ...Object.keys(copies ?? {}), name]) await this.#of.cluster?.settle(each);
    await this.#settleCopies();
    this.#isSettled = true;
  }

  async #settleCopies(): Promise<void> {
    const { table, run, read } = this.#of;
    const copies = Object.keys(table.copies ?? {});
    if (copies.length === 0) return;
    if (hasVersions(table)) {
      for (const copy of copies) await this.#takeBackAhead(copy);
      return;
    }
    const rows = rowsCutOff(await read<CutOff>(findCutOff(table)));
    if (rows !== undefined) for (const copy of copies) await run(dropCutOff(table, copy, rows));
  }

  /** A copy's newer version would outlast the table's older one, which may by now be right again. */
  async #takeBackAhead(copy: string): Promise<void> {
    const { table, run, read, nextVersion } = this.#of;
    const found = await read<{ at: string; is_ahead: number }>(findAhead(table, copy));
    if (found?.is_ahead !== 1) return;
    for (const statement of takeBackAhead(table, copy, found.at, nextVersion())) await run(statement);
  }
}
