import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "./connection.ts";

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  readonly statements: readonly string[];
};

/** The numbered files of a folder, in order. Throws where a number is left out. */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();
  return files.map((file, index) => {
    const number = Number(file.slice(0, 4));
    if (number !== index + 1) throw new Error(`migration ${file} is out of order`);
    const text = readFileSync(join(folder, file), "utf8");
    const statements = text
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== "");
    return { number, name: file.slice(0, -4), digest: createHash("sha256").update(text).digest("hex"), statements };
  });
}

/** Throws where a store is newer than this program, or a migration was changed after it was applied. */
export function requireKnown(
  known: readonly Migration[],
  applied: readonly { readonly number: number; readonly digest: string }[],
): void {
  const newest = applied.at(-1)?.number ?? 0;
  if (newest > known.length) {
    throw new Error(
      `the store is at migration ${newest}, but this program knows only ${known.length}: use a newer program`,
    );
  }
  for (const { number, digest } of applied) {
    if (known[number - 1]?.digest !== digest)
      throw new Error(`migration ${number} was changed after it was applied: migrations are append-only`);
  }
}

const quotedSafely = (value: string): string => value.replace(/[\\']/g, "\\$&");

/** A dictionary reads its table as this user; its secrets are not known when the migration is written. */
export function filledIn(text: string, { user, password, database }: Address): string {
  const said: Readonly<Record<string, string>> = { "@USER@": user, "@PASSWORD@": password, "@DATABASE@": database };
  // By a function: in a text that is put in, `$` would begin a pattern.
  return text.replaceAll(/@[A-Z]+@/g, (place) => quotedSafely(said[place] ?? place));
}
