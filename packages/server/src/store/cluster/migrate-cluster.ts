import { fromDefinition } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { bringDictionaries } from "../dictionaries.ts";
import type { ClusterAccess } from "../engine-line.ts";
import { inTurn } from "../in-turn.ts";
import { findLaidAnew, guardLaidAnew, type RequireAlone } from "../laid-anew.ts";
import { requireKnown, type Migration } from "../read-migrations.ts";
import { runnerOf } from "../runner.ts";
import { StoreError } from "../store-error.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { bringDistributed } from "./distributed-tables.ts";
import { NodeJournal } from "./node-journal.ts";
import { nodeForm } from "./node-form.ts";
import { requireForm } from "./replicated-inside.ts";
import { shardingKeys } from "./sharding-keys.ts";
import { turnsAt } from "./turns-at.ts";

export type MigrationWish = {
  /** Asked where a table that has rows is laid anew by a copy. */
  readonly requireAlone?: RequireAlone;
  /** Of a cluster: tables whose replicas copy from each other, by Keeper; else every write goes to each replica. */
  readonly isReplicated?: boolean;
  /** Of a cluster: gives a node that is new, or lost its disk, the rows of its shard; else it is left as it is, and not asked. */
  readonly isFilling?: boolean;
};

type Step = {
  readonly node: ClusterNode;
  readonly journal: NodeJournal;
  readonly missing: readonly Migration[];
  /** Of these, those that were run to their end before and are not to be run again. */
  readonly ended: ReadonlySet<Migration>;
};

/**
 * Brings every node that answers to the newest migration: first the rows' own tables on all, then the `Distributed` ones
 * over them, so that no reader meets one without the other. Programs that do so at once take turns.
 */
export async function migrateCluster(
  cluster: ClusterAccess,
  known: readonly Migration[],
  tables: readonly TableDefinition[],
  wish: MigrationWish,
): Promise<readonly string[]> {
  const { nodes } = cluster;
  const there = nodes.list.filter(({ place, state }) => place !== undefined && state !== "away");
  if (there.length === 0) throw new StoreError("absent", 0, `no node of the cluster ${nodes.name} answers`);
  for (const node of there) await makeDatabases(node);
  const isReplicated = await requireForm(nodes, there, wish.isReplicated ?? false);
  const applied = await inTurn(turnsAt(there), "migrate", async () => {
    const steps = await Promise.all(there.map((node) => stepOf(node, known)));
    const emptied = steps.filter((step) => isEmptied(step, steps));
    const meant = wish.isFilling || isReplicated ? steps : steps.filter((step) => !emptied.includes(step));
    const laidAnew = await laidAnewOn(meant, isReplicated);
    const check = await guardLaidAnew(laidAnew, wish.requireAlone);
    await allOver(meant.map((step) => runOnShard(step, isReplicated, check)));
    const keys = shardingKeys(tables);
    await allOver(meant.map(({ node }) => bringDistributed(node, nodes.name, keys)));
    await allOver(meant.map(({ node }) => bringDictionaries(runnerOf(node.connection), known, node.address)));
    if (wish.isFilling && emptied.length > 0 && !isReplicated)
      for (const table of keys.keys()) await cluster.settle(table, "all");
    await Promise.all(meant.map(({ journal, missing }) => journal.record(missing)));
    return meant.flatMap(({ missing }) => missing);
  });
  await nodes.expect(known.length);
  return known.filter((migration) => applied.includes(migration)).map(({ name }) => name);
}

async function makeDatabases(node: ClusterNode): Promise<void> {
  const { database } = node.address;
  for (const name of [database, `${database}_shard`])
    await node.bare.send(toNumbered(fromDefinition(`CREATE DATABASE IF NOT EXISTS ${name}`)));
}

async function stepOf(node: ClusterNode, known: readonly Migration[]): Promise<Step> {
  const journal = new NodeJournal(node);
  const applied = await journal.applied();
  requireKnown(known, applied);
  const missing = known.slice(applied.length);
  return { node, journal, missing, ended: await journal.ended(missing) };
}

/** It has nothing, and another replica of its shard has. */
function isEmptied({ node, journal }: Step, all: readonly Step[]): boolean {
  if (!journal.isNew) return false;
  return all.some(({ node: other, journal: its }) => other.place?.shard === node.place?.shard && !its.isNew);
}

/** Throws where a table that is to be laid anew has replicas that copy: each would copy its rows to the others too. */
async function laidAnewOn(steps: readonly Step[], isReplicated: boolean): Promise<readonly string[]> {
  const found = await Promise.all(
    steps.map(({ node, missing, ended }) =>
      findLaidAnew(
        runnerOf(node.shard),
        missing.filter((migration) => !ended.has(migration)),
      ),
    ),
  );
  const tables = [...new Set(found.flat())];
  if (isReplicated && tables.length > 0)
    throw new Error(
      `a migration copies the rows of ${tables.join(", ")} into another layout, which is not done where replicas copy from each other: see docs/cluster.md, Migrations`,
    );
  return tables;
}

/** Nothing of it goes on any more when it throws: the turn is given back then. */
async function allOver(works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === "rejected") throw ended.reason;
}

/** A migration with what cannot be repeated begins at its first statement again until its last one is written down. */
async function runOnShard(
  { node, journal, missing, ended }: Step,
  isReplicated: boolean,
  check: (statement: string) => Promise<void>,
): Promise<void> {
  for (const migration of missing.filter((one) => !ended.has(one))) {
    const forms = migration.statements.map((statement) => nodeForm(statement, isReplicated));
    for (const form of forms) {
      await check(form.text);
      if (form.in === "shard") await node.shard.send(toNumbered(fromDefinition(form.text)));
    }
    if (!forms.every(({ isRepeatable }) => isRepeatable)) await journal.recordEnd(migration);
  }
}
