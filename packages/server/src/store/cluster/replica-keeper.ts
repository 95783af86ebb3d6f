import { setTimeout as sleep } from "node:timers/promises";
import { bind, sql } from "../../definition/sql.ts";
import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import { evenOut, type Check } from "./even-out.ts";
import { inTurn } from "../in-turn.ts";
import { findDiffering } from "./find-differing.ts";
import { toNumbered } from "../statement.ts";
import { readLines } from "./look-at-node.ts";
import { readStoredTable, type StoredTable } from "./stored-table.ts";
import { turnsAt } from "./turns-at.ts";

const MOST_PASSES = 6;
const LONGEST_STATEMENT_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** Whether every row is compared or the newest only, and what is asked before a statement that changes rows. */
type How = { readonly isWhole: boolean; readonly check: Check | undefined };

/**
 * Makes the replicas of a table equal before it is written to: what an insert or a deletion left on some of them only,
 * because it was cut off, would be there for one reader and not for the next.
 */
export class ReplicaKeeper {
  readonly #nodes: ClusterNodes;
  /** Tables in which this process left nothing half done since it compared them. */
  readonly #settled = new Set<string>();
  readonly #abandoned = new Set<string>();
  readonly #under = new Map<string, Promise<void>>();

  constructor(nodes: ClusterNodes) {
    this.#nodes = nodes;
  }

  /** A statement that changes the table ended early for us; its node may be in the middle of it still. */
  readonly onCutOff = (table: string, queryId: string): void => {
    this.#settled.delete(table);
    this.#abandoned.add(queryId);
  };

  /** Another process wrote to tables since, and may have been cut off: they are compared before the next write. */
  readonly forget = (): void => this.#settled.clear();

  /**
   * `all`: compares every row, not the newest only. `check` throws where this process may not write now. Throws
   * StoreError "absent" while a replica is away.
   */
  readonly settle = async (table: string, all: "all" | "newest" = "newest", check?: Check): Promise<void> => {
    if (this.#nodes.isReplicatedInside) return;
    const running = this.#under.get(table);
    if (running !== undefined) return running;
    if (all === "newest" && this.#settled.has(table)) return;
    const { flights, list } = this.#nodes;
    const own = flights
      .whileThere(list, () => this.#settleNow(table, { isWhole: all === "all", check }))
      .catch((error: unknown) => {
        this.#settled.delete(table);
        throw error;
      })
      .finally(() => this.#under.delete(table));
    this.#under.set(table, own);
    return own;
  };

  async #settleNow(table: string, how: How): Promise<void> {
    const nodes = this.#nodes.requireWritable();
    const first = nodes[0];
    if (first === undefined) return;
    this.#settled.add(table);
    const stored = await readStoredTable(first, table);
    if (stored === undefined) return;
    await this.#endAbandoned(nodes);
    await this.#endOfStatements(table);
    const shards = Map.groupBy(nodes, ({ place }) => place?.shard);
    for (const replicas of shards.values()) if (replicas.length > 1) await this.#settleShard(stored, replicas, how);
  }

  async #settleShard(table: StoredTable, replicas: readonly ClusterNode[], how: How): Promise<void> {
    if ((await findDiffering(table, replicas, how.isWhole)).length === 0) return;
    // Two processes that repaired at once could each bring the same row.
    await inTurn(turnsAt(replicas), table.name.replace(".", "_"), () => this.#repair(table, replicas, how));
  }

  async #repair(table: StoredTable, replicas: readonly ClusterNode[], { isWhole, check }: How): Promise<void> {
    for (let pass = 0; ; pass += 1) {
      const found = await findDiffering(table, replicas, isWhole);
      if (found.length === 0) return;
      if (pass === MOST_PASSES)
        throw new StoreError(
          "failed",
          0,
          `replicas of ${table.name} differ after ${MOST_PASSES} repairs: ${replicas.map(({ name }) => name).join(", ")}`,
        );
      // An insert that another process is in the middle of is no difference: its end is waited for.
      await this.#endOfStatements(table.name.split(".")[1] ?? table.name);
      const still = new Set((await findDiffering(table, replicas, isWhole)).map(({ batch }) => batch));
      await evenOut(
        table,
        replicas,
        found.filter(({ batch }) => still.has(batch)),
        check,
      );
    }
  }

  /** What a node that fell silent was doing for us must not go on when it wakes. Our own statements only: no lease is asked. */
  async #endAbandoned(nodes: readonly ClusterNode[]): Promise<void> {
    if (this.#abandoned.size === 0) return;
    const ids = [...this.#abandoned];
    const kill = toNumbered(
      sql`KILL QUERY WHERE arrayExists(id -> startsWith(initial_query_id, id), ${bind("Array(String)", ids)}) SYNC FORMAT TSV`,
    );
    await Promise.all(nodes.map(({ connection }) => connection.send(kill)));
    for (const id of ids) this.#abandoned.delete(id);
  }

  /** Waits for the statements that now write to the table, on whatever node, and for deletions that go on by themselves. */
  async #endOfStatements(table: string): Promise<void> {
    const running = await this.#statementsOn(table);
    const deadline = Date.now() + LONGEST_STATEMENT_MS;
    for (let left = running; left.length > 0;) {
      if (Date.now() > deadline) throw new StoreError("absent", 0, `a statement on ${table} does not end`);
      await sleep(LOOK_EVERY_MS);
      const now = new Set(await this.#statementsOn(table));
      left = left.filter((id) => now.has(id));
    }
  }

  async #statementsOn(table: string): Promise<string[]> {
    const each = await Promise.all(
      this.#nodes.requireWritable().map(({ connection }) =>
        readLines<{ id: string }>(
          connection,
          sql`SELECT initial_query_id AS id FROM system.processes WHERE query_kind NOT IN ('Select', 'Explain', 'Show') AND match(query, ${bind("String", `\\b${table}\\b`)}) AND NOT match(query, 'mend_')
            UNION ALL SELECT mutation_id AS id FROM system.mutations WHERE NOT is_done AND table = ${bind("String", table)} AND endsWith(database, '_shard')`,
        ),
      ),
    );
    return each.flat().map(({ id }) => id);
  }
}
