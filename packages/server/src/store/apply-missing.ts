import { bind, fromDefinition, joined, sql } from "../definition/sql.ts";
import { requireKnown, type Migration } from "./migrations.ts";
import type { Runner } from "./connection.ts";

/** Throws while other processes may be storing rows of these tables. */
export type RequireAlone = (tables: readonly string[]) => Promise<void>;

/**
 * Statement by which a copy in another layout replaces a table: rows stored in the table since the copy began are lost.
 */
const TAKING_PLACE = /^EXCHANGE TABLES \w+ AND (\w+)/m;

/** Finds the tables that migrations rebuild by a copy and that have rows in an engine. */
async function findRelaid(at: Runner, missing: readonly Migration[]): Promise<readonly string[]> {
  const laid = missing.flatMap(({ statements }) => statements.flatMap((text) => TAKING_PLACE.exec(text)?.[1] ?? []));
  if (laid.length === 0) return [];
  const filled = await at.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ${bind("Array(String)", laid)} AND total_rows > 0 ORDER BY name`,
  );
  return filled.map(({ name }) => name);
}

/**
 * Ensures that no other process stores rows while these tables are rebuilt: checked at the start, and again when a copy
 * replaces a table, for which the returned check must be called before every statement.
 */
async function guardRelaid(
  tables: readonly string[],
  requireAlone: RequireAlone = async () => undefined,
): Promise<(statement: string) => Promise<void>> {
  if (tables.length > 0) await requireAlone(tables);
  return async (statement) => {
    const table = TAKING_PLACE.exec(statement)?.[1];
    if (table !== undefined && tables.includes(table)) await requireAlone([table]);
  };
}

/** Records the migrations that an engine has; on a cluster every node has its own. */
const JOURNAL = `CREATE TABLE IF NOT EXISTS schema_migrations (number UInt32, name String, digest String, applied_at DateTime('UTC') DEFAULT now('UTC')) ENGINE = ReplacingMergeTree ORDER BY number`;

/** An engine to migrate: where its applied migrations are recorded, and where its rows are. */
type MigratedEngine = { readonly journal: Runner; readonly rows: Runner };

type Wish = {
  /** Called before a table that has rows is rebuilt by a copy. */
  readonly requireAlone?: RequireAlone | undefined;
  /** Whether the tables' replicas copy from each other. */
  readonly isReplicated: boolean;
};

/** Returns the migrations that an engine lacks. Throws if it is newer than this program or a file was changed. */
export async function missingOf(journal: Runner, known: readonly Migration[]): Promise<readonly Migration[]> {
  await journal.run(fromDefinition(JOURNAL));
  const applied = await journal.rows<{ number: number; digest: string }>(
    sql`SELECT number, digest FROM schema_migrations FINAL ORDER BY number`,
  );
  requireKnown(known, applied);
  const newest = applied.at(-1)?.number ?? 0;
  return known.filter(({ number }) => number > newest);
}

/**
 * Applies to each engine the migrations it lacks, to all engines concurrently. An interrupted migration is run again
 * from its first statement.
 */
export async function applyMissing(
  engines: readonly MigratedEngine[],
  known: readonly Migration[],
  { requireAlone, isReplicated }: Wish,
): Promise<readonly Migration[]> {
  const lacking = await Promise.all(
    engines.map(async (engine) => ({ ...engine, missing: await missingOf(engine.journal, known) })),
  );
  const fresh = lacking.filter(({ missing }) => missing.length === known.length);
  const held = lacking.filter((engine) => !fresh.includes(engine));
  const found = await Promise.all(held.map(({ rows, missing }) => findRelaid(rows, missing)));
  const relaid = [...new Set(found.flat())];
  if (isReplicated && relaid.length > 0)
    throw new Error(
      `a migration copies the rows of ${relaid.join(", ")} into another layout, which is not supported where replicas copy from each other: see docs/cluster.md, Migrations`,
    );
  const check = await guardRelaid(relaid, requireAlone);
  await allEnded(
    held.map(async ({ journal, rows, missing }) => {
      for (const migration of missing) {
        for (const statement of migration.statements) {
          await check(statement);
          await rows.run(fromDefinition(nodeForm(statement, isReplicated)));
        }
        await writeDown(journal, [migration]);
      }
    }),
  );
  // After the others, because a new replica takes over the tables as the other replicas have them.
  await allEnded(fresh.map((engine) => makeSchema(engine, known, isReplicated)));
  return known.filter((migration) => lacking.some(({ missing }) => missing.includes(migration)));
}

/** An empty engine needs only the baseline, which creates everything that all later migrations make. */
async function makeSchema(
  { journal, rows }: MigratedEngine,
  known: readonly Migration[],
  isReplicated: boolean,
): Promise<void> {
  const statements = known[0]?.statements ?? [];
  const named = statements.flatMap((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1] ?? []);
  // An interrupted run may have been another version's, so its empty tables are dropped.
  const left = await rows.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ${bind("Array(String)", named)} AND total_rows = 0`,
  );
  for (const { name } of left) await rows.run(fromDefinition(`DROP TABLE IF EXISTS ${name} SYNC`));
  for (const statement of statements) await rows.run(fromDefinition(nodeForm(statement, isReplicated)));
  await writeDown(journal, known);
}

/** Recorded in one statement, so that no reader sees some of them without the others. */
async function writeDown(journal: Runner, migrations: readonly Migration[]): Promise<void> {
  const rows = migrations.map(
    ({ number, name, digest }) => sql`(${bind("UInt32", number)}, ${bind("String", name)}, ${bind("String", digest)})`,
  );
  await journal.run(sql`INSERT INTO schema_migrations (number, name, digest) VALUES ${joined(rows, sql`, `)}`);
}

/** Waits for all before it throws, so that nothing is still running when the migration lock is released. */
async function allEnded(work: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(work)) if (ended.status === "rejected") throw ended.reason;
}

const REPLACING = /^ENGINE = ReplacingMergeTree\((\w+)\)/m;
const PLAIN = /^ENGINE = MergeTree\b(?:\(\))?/m;
const PLACE = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const COMMENTS = /^(?:\s*--[^\n]*\n)+/;

/**
 * Returns a migration's statement in the form for one engine, so that an interrupted migration can be run again.
 * `isReplicated`: replicas copy from each other through Keeper.
 */
export function nodeForm(statement: string, isReplicated: boolean): string {
  const text = statement.replace(COMMENTS, "").trim();
  if (/^CREATE TABLE\b/.test(text)) {
    const created = text.replace(/^CREATE TABLE (?!IF NOT)/, "CREATE TABLE IF NOT EXISTS ");
    return isReplicated ? replicatedForm(created) : created;
  }
  if (/^(ALTER TABLE|DELETE FROM)\b/.test(text))
    return text.replaceAll(/\b(ADD (?:INDEX|COLUMN|PROJECTION)) (?!IF NOT)/g, "$1 IF NOT EXISTS ");
  // Keeper keeps a table's path until the table is really dropped; another table may be created there immediately.
  return isReplicated && /^DROP TABLE\b/.test(text) ? `${text} SYNC` : text;
}

/** Returns the replicated form of a table. Throws if its engine is unknown. */
export function replicatedForm(create: string): string {
  if (REPLACING.test(create)) return create.replace(REPLACING, `ENGINE = ReplicatedReplacingMergeTree(${PLACE}, $1)`);
  if (PLAIN.test(create)) return create.replace(PLAIN, `ENGINE = ReplicatedMergeTree(${PLACE})`);
  throw new Error(`unknown engine, no replicated form: ${create.slice(0, 120)}`);
}
