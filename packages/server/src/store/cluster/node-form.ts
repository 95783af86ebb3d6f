/** How a statement of a migration is said to one engine, so that what was cut off can be run again. */
export type NodeForm = {
  readonly text: string;
  /** Which of a cluster's databases: of the rows, or, for dictionaries once all tables are there, the one that is asked. */
  readonly in: "shard" | "asked";
};

const REPLACING = /^ENGINE = ReplacingMergeTree\((\w+)\)/m;
const PLAIN = /^ENGINE = MergeTree\b(?:\(\))?/m;
const PLACE = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const COMMENTS = /^(?:\s*--[^\n]*\n)+/;

/** `isReplicated`: replicas copy from each other by Keeper. */
export function nodeForm(statement: string, isReplicated: boolean): NodeForm {
  const text = statement.replace(COMMENTS, "").trim();
  if (/^CREATE DICTIONARY\b/.test(text)) return { text: text.replace(/^CREATE/, "CREATE OR REPLACE"), in: "asked" };
  if (/^CREATE TABLE\b/.test(text)) {
    const created = text.replace(/^CREATE TABLE (?!IF NOT)/, "CREATE TABLE IF NOT EXISTS ");
    return { text: isReplicated ? replicatedForm(created) : created, in: "shard" };
  }
  if (/^(ALTER TABLE|DELETE FROM)\b/.test(text)) {
    const again = text.replaceAll(/\b(ADD (?:INDEX|COLUMN|PROJECTION)) (?!IF NOT)/g, "$1 IF NOT EXISTS ");
    return { text: again, in: "shard" };
  }
  // Keeper knows a table's path until the table is really gone; another one may be made there at once.
  const isLasting = isReplicated && /^DROP TABLE\b/.test(text);
  return { text: isLasting ? `${text} SYNC` : text, in: "shard" };
}

/** A table whose replicas copy from each other. Throws where its engine is not known. */
export function replicatedForm(create: string): string {
  if (REPLACING.test(create)) return create.replace(REPLACING, `ENGINE = ReplicatedReplacingMergeTree(${PLACE}, $1)`);
  if (PLAIN.test(create)) return create.replace(PLAIN, `ENGINE = ReplicatedMergeTree(${PLACE})`);
  throw new Error(`no replicated form is known of: ${create.slice(0, 120)}`);
}
