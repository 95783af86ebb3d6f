const REPLACING = /^ENGINE = ReplacingMergeTree\((\w+)\)/m;
const PLAIN = /^ENGINE = MergeTree\b(?:\(\))?/m;
const PLACE = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const COMMENTS = /^(?:\s*--[^\n]*\n)+/;

/**
 * How a statement of a migration is said to one engine, so that what was cut off can be run again. `isReplicated`: replicas
 * copy from each other by Keeper.
 */
export function nodeForm(statement: string, isReplicated: boolean): string {
  const text = statement.replace(COMMENTS, "").trim();
  if (/^CREATE TABLE\b/.test(text)) {
    const created = text.replace(/^CREATE TABLE (?!IF NOT)/, "CREATE TABLE IF NOT EXISTS ");
    return isReplicated ? replicatedForm(created) : created;
  }
  if (/^(ALTER TABLE|DELETE FROM)\b/.test(text))
    return text.replaceAll(/\b(ADD (?:INDEX|COLUMN|PROJECTION)) (?!IF NOT)/g, "$1 IF NOT EXISTS ");
  // Keeper knows a table's path until the table is really gone; another one may be made there at once.
  return isReplicated && /^DROP TABLE\b/.test(text) ? `${text} SYNC` : text;
}

/** A table whose replicas copy from each other. Throws where its engine is not known. */
export function replicatedForm(create: string): string {
  if (REPLACING.test(create)) return create.replace(REPLACING, `ENGINE = ReplicatedReplacingMergeTree(${PLACE}, $1)`);
  if (PLAIN.test(create)) return create.replace(PLAIN, `ENGINE = ReplicatedMergeTree(${PLACE})`);
  throw new Error(`no replicated form is known of: ${create.slice(0, 120)}`);
}
