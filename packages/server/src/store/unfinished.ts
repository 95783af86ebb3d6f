import { bind, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { findAhead, takeBackAhead } from "./copies-ahead.ts";
import { dropCutOff, findCutOff, rowsCutOff, type CutOff } from "./cut-off.ts";
import { hasVersions } from "./ddl.ts";
import type { EngineLine } from "./engine-line.ts";
import { toNumbered } from "./statement.ts";

type Of = Pick<EngineLine, "everyNode"> & {
  readonly table: TableDefinition;
  /** The writer's own staging table. */
  readonly staged: string;
  readonly nextVersion: () => bigint;
  readonly run: (statement: Sql) => Promise<unknown>;
  /** Changes rows where they lie. */
  readonly alter: (statement: Sql) => Promise<unknown>;
  /** The first row. */
  readonly read: <T>(statement: Sql) => Promise<T | undefined>;
};

/**
 * What inserts left that were cut off between a table and its copies. Another writer's that goes on would look like one: it is looked for in a writer's turn.
 */
export class Unfinished {
  readonly #of: Of;
  #isSettled = false;
  #inCopies: string | undefined;

  constructor(of: Of) {
    this.#of = of;
  }

  /** What only a copy holds (SQL over a copy); undefined where there is nothing. */
  get inCopies(): string | undefined {
    return this.#inCopies;
  }

  /** There may be something again. */
  forget(): void {
    this.#isSettled = false;
  }

  /** Before anything is compared. */
  async settle(): Promise<void> {
    if (this.#isSettled) return;
    this.#inCopies = await this.#settleCopies();
    this.#isSettled = true;
  }

  /** It goes at once, unless another process could be in the middle of an insert. */
  async #settleCopies(): Promise<string | undefined> {
    const { table, alter, read } = this.#of;
    const copies = Object.keys(table.copies ?? {});
    if (copies.length === 0) return undefined;
    if (hasVersions(table)) {
      if (await this.#isAlone()) for (const copy of copies) await this.#takeBackAhead(copy);
      return undefined;
    }
    const rows = rowsCutOff(await read<CutOff>(findCutOff(table)));
    if (rows === undefined || !(await this.#isAlone())) return rows;
    for (const copy of copies) await alter(dropCutOff(table, copy, rows));
    return undefined;
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

  async #isAlone(): Promise<boolean> {
    const { everyNode, table, staged } = this.#of;
    const others = await everyNode(
      toNumbered(
        sql`SELECT count() FROM system.tables WHERE database = currentDatabase() AND startsWith(name, ${bind("String", `staged_${table.name}_`)}) AND name != ${bind("String", staged)} FORMAT TSV`,
      ),
    );
    return others.every((count) => Number(count.toString("utf8")) === 0);
  }
}
