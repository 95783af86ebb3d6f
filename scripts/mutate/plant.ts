import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SOURCE, type Mutation } from "./mutation.ts";

/** The file with the mutation applied. Throws if its text does not occur exactly once, or if it changes nothing. */
export function mutated(text: string, { id, file, find, replace }: Mutation): string {
  const [before = "", after, ...more] = text.split(find);
  if (after === undefined || more.length > 0)
    throw new Error(
      `stale mutation ${id}: its text occurs ${more.length + (after === undefined ? 0 : 1)} times in ${file}`,
    );
  if (find === replace) throw new Error(`mutation ${id} changes nothing`);
  return before + replace + after;
}

/** Applies a mutation to a checkout; the returned function reverts it. */
export function plant(root: string, mutation: Mutation): () => void {
  const file = join(root, SOURCE, mutation.file);
  const original = readFileSync(file, "utf8");
  writeFileSync(file, mutated(original, mutation));
  return () => writeFileSync(file, original);
}
