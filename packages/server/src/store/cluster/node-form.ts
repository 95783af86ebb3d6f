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
