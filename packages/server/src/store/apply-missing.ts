import { bind, fromDefinition, joined, sql } from "../definition/sql.ts";
import { nodeForm } from "./cluster/node-form.ts";
import { requireKnown, type Migration } from "./migrations.ts";
import type { Runner } from "./runner.ts";

/** Throws while others may be storing rows of these tables. */
export type RequireAlone = (tables: readonly string[]) => Promise<void>;

/** By it a copy in another layout takes a table's place: what was stored in that since the copy began is lost. */
const TAKING_PLACE = /^EXCHANGE TABLES \w+ AND (\w+)/m;

/** Of the tables that migrations lay anew by a copy, those that have rows in an engine. */
async function findLaidAnew(at: Runner, missing: readonly Migration[]): Promise<readonly string[]> {
  const laid = missing.flatMap(({ statements }) => statements.flatMap((text) => TAKING_PLACE.exec(text)?.[1] ?? []));
  if (laid.length === 0) return [];
  const filled = await at.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ${bind("Array(String)", laid)} AND total_rows > 0 ORDER BY name`,
  );
  return filled.map(({ name }) => name);
}

/**
 * Has nobody else store while these tables are laid anew: not at the beginning, and not when a copy takes a table's
 * place, for which the check is to be called before every statement.
 */
async function guardLaidAnew(
  tables: readonly string[],
  requireAlone: RequireAlone = async () => undefined,
): Promise<(statement: string) => Promise<void>> {
  if (tables.length > 0) await requireAlone(tables);
  return async (statement) => {
    const table = TAKING_PLACE.exec(statement)?.[1];
    if (table !== undefined && tables.includes(table)) await requireAlone([table]);
  };
}

/** Which migrations an engine has; on a cluster every node has its own. */
const JOURNAL = `CREATE TABLE IF NOT EXISTS schema_migrations (number UInt32, name String, digest String, applied_at DateTime('UTC') DEFAULT now('UTC')) ENGINE = ReplacingMergeTree ORDER BY number`;

/** An engine that is migrated: where it writes down what it has, and where its rows are. */
type MigratedEngine = { readonly journal: Runner; readonly rows: Runner };

type Wish = {
  /** Asked where a table that has rows is laid anew by a copy. */
  readonly requireAlone?: RequireAlone | undefined;
  /** Tables whose replicas copy from each other. */
  readonly isReplicated: boolean;
};

/** The migrations that an engine has not. Throws where it is newer than this program or a file was changed. */
export async function missingOf(journal: Runner, known: readonly Migration[]): Promise<readonly Migration[]> {
  await journal.run(fromDefinition(JOURNAL));
  const applied = await journal.rows<{ number: number; digest: string }>(
    sql`SELECT number, digest FROM schema_migrations FINAL ORDER BY number`,
  );
  requireKnown(known, applied);
  const newest = applied.at(-1)?.number ?? 0;
  return known.filter(({ number }) => number > newest);
}

/** Applies to each engine what it lacks, at once to all. One that was cut off is run again from its first statement on. */
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
  const found = await Promise.all(held.map(({ rows, missing }) => findLaidAnew(rows, missing)));
  const laidAnew = [...new Set(found.flat())];
  if (isReplicated && laidAnew.length > 0)
    throw new Error(
      `a migration copies the rows of ${laidAnew.join(", ")} into another layout, which is not done where replicas copy from each other: see docs/cluster.md, Migrations`,
    );
  const check = await guardLaidAnew(laidAnew, requireAlone);
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
  // After those: a new replica takes tables as the others have them.
  await allEnded(fresh.map((engine) => makeSchema(engine, known, isReplicated)));
  return known.filter((migration) => lacking.some(({ missing }) => missing.includes(migration)));
}

/** An empty engine needs the baseline only: it has what all later migrations make. */
async function makeSchema(
  { journal, rows }: MigratedEngine,
  known: readonly Migration[],
  isReplicated: boolean,
): Promise<void> {
  const statements = known[0]?.statements ?? [];
  const named = statements.flatMap((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1] ?? []);
  // What was cut off may have been another version's.
  const left = await rows.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ${bind("Array(String)", named)} AND total_rows = 0`,
  );
  for (const { name } of left) await rows.run(fromDefinition(`DROP TABLE IF EXISTS ${name} SYNC`));
  for (const statement of statements) await rows.run(fromDefinition(nodeForm(statement, isReplicated)));
  await writeDown(journal, known);
}

/** All at once, so that none of them is met without the others. */
async function writeDown(journal: Runner, migrations: readonly Migration[]): Promise<void> {
  const rows = migrations.map(
    ({ number, name, digest }) => sql`(${bind("UInt32", number)}, ${bind("String", name)}, ${bind("String", digest)})`,
  );
  await journal.run(sql`INSERT INTO schema_migrations (number, name, digest) VALUES ${joined(rows, sql`, `)}`);
}

/** Nothing of it goes on any more when it throws: the turn is given back then. */
async function allEnded(work: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(work)) if (ended.status === "rejected") throw ended.reason;
}
