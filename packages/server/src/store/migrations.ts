import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TableDefinition } from "../definition/table.ts";
import { createStatements } from "./ddl.ts";

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  readonly statements: readonly string[];
};

/** Number of the migration that creates the schema of an empty store. */
export const BASELINE = 32;
/** The newest commit that has the migrations up to the baseline. */
export const LAST_BEFORE = "dfcba548";

/**
 * Returns the migrations: the baseline, which creates every table as it is defined now, then the numbered files of a
 * folder, which upgrade older stores to the same schema. Throws if a number is missing.
 */
export function readMigrations(folder: string, tables: readonly TableDefinition[]): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();
  const numbered = files.map((file, index) => {
    const number = Number(file.slice(0, 4));
    if (number !== BASELINE + 1 + index) throw new Error(`migration ${file} is out of order`);
    const text = readFileSync(join(folder, file), "utf8");
    const statements = text
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== "");
    return { number, name: file.slice(0, -4), digest: createHash("sha256").update(text).digest("hex"), statements };
  });
  // No digest, since its text changes with the definitions.
  return [
    { number: BASELINE, name: "0032-baseline", digest: "", statements: tables.flatMap(createStatements) },
    ...numbered,
  ];
}

/** Throws if a store is newer or older than the known migrations, or a migration was changed after it was applied. */
export function requireKnown(
  known: readonly Migration[],
  applied: readonly { readonly number: number; readonly digest: string }[],
): void {
  const newest = applied.at(-1)?.number ?? BASELINE;
  const last = known.at(-1)?.number ?? BASELINE;
  if (newest > last)
    throw new Error(`the store is at migration ${newest}, but this version knows only ${last}: use a newer version`);
  if (newest < BASELINE)
    throw new Error(
      `the store is at migration ${newest}, and this version upgrades only stores at ${BASELINE} or later: run 'almanac migrate' of commit ${LAST_BEFORE} first, then of this version`,
    );
  for (const { number, digest } of applied) {
    if (number > BASELINE && known[number - BASELINE]?.digest !== digest)
      throw new Error(`migration ${number} was changed after it was applied: migrations are append-only`);
  }
}
