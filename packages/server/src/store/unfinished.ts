import { type Sql, fromDefinition } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { copyInto, hasVersions } from "./ddl.ts";
import { WHOLE } from "../definition/table-sql.ts";
import type { Stamps } from "./stamps.ts";

/** Batches (by the time their rows were stored, engine text) of which copies hold more rows than the table. */
type CutOff = { readonly batches: readonly string[]; readonly count: string; readonly oldest: string };

const MAX_NAMED = 1000;

/**
 * Finds inserts that were interrupted after a copy and before the table. Nothing is compared if both hold as many rows;
 * newer batches in the table do not hide one, since it may be sent again much later or after another restart.
 */
function findCutOff({ name, copies }: TableDefinition): Sql {
  const each = Object.keys(copies ?? {}).map(
    (copy) =>
      `SELECT ingested_at FROM (SELECT ingested_at, toInt64(1) AS n FROM ${copy} UNION ALL SELECT ingested_at, toInt64(-1) FROM ${name}) ` +
      `WHERE (SELECT count() FROM ${copy}) != (SELECT count() FROM ${name}) GROUP BY ingested_at HAVING sum(n) > 0`,
  );
  return fromDefinition(
    `SELECT groupArray(${MAX_NAMED})(toString(ingested_at)) AS batches, toString(count()) AS count, toString(min(ingested_at)) AS oldest ` +
      `FROM (SELECT DISTINCT ingested_at FROM (${each.join(" UNION ALL ")}))`,
  );
}

const timestamp = (text: string): string => `toDateTime64('${text}', 6, 'UTC')`;

/** Condition for the rows of such batches in a copy, as SQL; undefined if there are none. */
function rowsCutOff(found: CutOff | undefined): string | undefined {
  if (found === undefined || found.count === "0") return undefined;
  if (Number(found.count) > found.batches.length) return `ingested_at >= ${timestamp(found.oldest)}`;
  return `ingested_at IN (${found.batches.map(timestamp).join(", ")})`;
}

/** Deletes such rows from a copy. GLOBAL, since a deletion is executed without the settings for a cluster. */
function dropCutOff({ name, key }: TableDefinition, copy: string, rows: string): Sql {
  const keys = key.join(", ");
  return fromDefinition(
    `DELETE FROM ${copy} WHERE ${rows} AND (${keys}) NOT IN (SELECT ${keys} FROM ${WHOLE}${name} WHERE (${keys}) GLOBAL IN (SELECT ${keys} FROM ${WHOLE}${copy} WHERE ${rows}))`,
  );
}

type Of = {
  readonly table: TableDefinition;
  readonly stamps: Stamps;
  readonly run: (statement: Sql) => Promise<unknown>;
  /** Changes rows in place. */
  readonly alter: (statement: Sql) => Promise<unknown>;
  /** Returns the first row. */
  readonly read: <T>(statement: Sql) => Promise<T | undefined>;
};

/** Cleans up after inserts that were interrupted between a table and its copies. */
export class Unfinished {
  readonly #of: Of;
  #isSettled = false;

  constructor(of: Of) {
    this.#of = of;
  }

  /** Called when there may be an interrupted insert again. */
  forget(): void {
    this.#isSettled = false;
  }

  /** Called before a batch is stamped and compared. */
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
      for (const copy of copies) await this.#restoreCopy(copy);
      return;
    }
    const rows = rowsCutOff(await read<CutOff>(findCutOff(table)));
    if (rows !== undefined) for (const copy of copies) await alter(dropCutOff(table, copy, rows));
  }

  /** A copy's newer version would outlast the table's older one, which may by now be correct again. */
  async #restoreCopy(copy: string): Promise<void> {
    const { table, run, alter, read, stamps } = this.#of;
    const found = await read<{ at: string; ahead: string }>(findAhead(table, copy));
    if (found === undefined || BigInt(found.ahead) <= BigInt(found.at)) return;
    stamps.startAfter(BigInt(found.ahead));
    const [again, gone] = restoreCopy(table, copy, found.at, stamps.next());
    await run(again);
    await alter(gone);
  }
}

/**
 * Finds the newest versions of a table (`at`) and of its copy (`ahead`). A copy is ahead by rows that the table never
 * got because an insert was interrupted between them.
 */
function findAhead({ name }: TableDefinition, copy: string): Sql {
  return fromDefinition(
    `SELECT toString((SELECT max(version) FROM ${name})) AS at, toString((SELECT max(version) FROM ${copy})) AS ahead`,
  );
}

/**
 * Restores a copy to the table's rows with `version`, newer than any other: one statement inserts, the next deletes.
 */
function restoreCopy(table: TableDefinition, copy: string, at: string, version: bigint): [Sql, Sql] {
  const keys = table.key.join(", ");
  const ahead = `version > ${BigInt(at)} AND version < ${version}`;
  const again = `SELECT * REPLACE(toUInt64(${version}) AS version) FROM ${table.name} FINAL WHERE (${keys}) IN (SELECT ${keys} FROM ${copy} WHERE ${ahead})`;
  return [fromDefinition(copyInto(table, copy, `(${again})`)), fromDefinition(`DELETE FROM ${copy} WHERE ${ahead}`)];
}
