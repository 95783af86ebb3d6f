import { bind, fromDefinition, joined, sql } from "../../definition/sql.ts";
import { JOURNAL } from "../journal.ts";
import type { Migration } from "../read-migrations.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { readLines } from "./look-at-node.ts";

const STATEMENTS =
  "CREATE TABLE IF NOT EXISTS schema_statements (number UInt32, place UInt32, applied_at DateTime('UTC') DEFAULT now('UTC')) ENGINE = MergeTree ORDER BY (number, place)";

/**
 * Which migrations one node has, and which it came to the end of whose statements cannot be repeated one by one. Every
 * call throws StoreError.
 */
export class NodeJournal {
  readonly #node: ClusterNode;
  #isNew = true;

  constructor(node: ClusterNode) {
    this.#node = node;
  }

  /** Nothing was applied before; known after `applied`. */
  get isNew(): boolean {
    return this.#isNew;
  }

  async applied(): Promise<{ number: number; digest: string }[]> {
    for (const text of [JOURNAL, STATEMENTS]) await this.#node.connection.send(toNumbered(fromDefinition(text)));
    const applied = await readLines<{ number: number; digest: string }>(
      this.#node.connection,
      sql`SELECT number, digest FROM schema_migrations FINAL ORDER BY number`,
    );
    this.#isNew = applied.length === 0;
    return applied;
  }

  /** Those whose last statement was run. */
  async ended(migrations: readonly Migration[]): Promise<ReadonlySet<Migration>> {
    const run = await readLines<{ number: number; place: number }>(
      this.#node.connection,
      sql`SELECT number, place FROM schema_statements`,
    );
    const isEnded = ({ number, statements }: Migration): boolean =>
      run.some((each) => each.number === number && each.place === statements.length - 1);
    return new Set(migrations.filter(isEnded));
  }

  /** Its last statement was run. */
  async recordEnd({ number, statements }: Migration): Promise<void> {
    await this.#node.connection.send(
      toNumbered(
        sql`INSERT INTO schema_statements (number, place) VALUES (${bind("UInt32", number)}, ${bind("UInt32", statements.length - 1)})`,
      ),
    );
  }

  async record(migrations: readonly Migration[]): Promise<void> {
    if (migrations.length === 0) return;
    const rows = migrations.map(
      ({ number, name, digest }) =>
        sql`(${bind("UInt32", number)}, ${bind("String", name)}, ${bind("String", digest)})`,
    );
    await this.#node.connection.send(
      toNumbered(sql`INSERT INTO schema_migrations (number, name, digest) VALUES ${joined(rows, sql`, `)}`),
    );
  }
}
