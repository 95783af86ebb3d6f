import type { Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { findAhead, takeBackAhead } from "./copies-ahead.ts";
import { dropCutOff, findCutOff, rowsCutOff, type CutOff } from "./cut-off.ts";
import { hasVersions } from "./ddl.ts";

type Of = {
  readonly table: TableDefinition;
  readonly nextVersion: () => bigint;
  readonly run: (statement: Sql) => Promise<unknown>;
  /** Changes rows where they lie. */
  readonly alter: (statement: Sql) => Promise<unknown>;
  /** The first row. */
  readonly read: <T>(statement: Sql) => Promise<T | undefined>;
};

/** What inserts left that were cut off between a table and its copies. */
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
    await this.#settleCopies();
    this.#isSettled = true;
  }

  async #settleCopies(): Promise<void> {
    const { table, alter, read } = this.#of;
    const copies = Object.keys(table.copies ?? {});
    if (copies.length === 0) return;
    if (hasVersions(table)) {
      for (const copy of copies) await this.#takeBackAhead(copy);
      return;
    }
    const rows = rowsCutOff(await read<CutOff>(findCutOff(table)));
    if (rows !== undefined) for (const copy of copies) await alter(dropCutOff(table, copy, rows));
  }

  /** A copy's newer version would outlast the table's older one, which may by now be right again. */
  async #takeBackAhead(copy: string): Promise<void> {
    const { table, run, alter, read, nextVersion } = this.#of;
    const found = await read<{ at: string; is_ahead: number }>(findAhead(table, copy));
    if (found?.is_ahead !== 1) return;
    const [again, gone] = takeBackAhead(table, copy, found.at, nextVersion());
    await run(again);
    await alter(gone);
  }
}
