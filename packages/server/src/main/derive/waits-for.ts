import { sourcesOf } from "../../definition/derivation.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { madeBy, nameOf, type DerivedPart } from "./derived-part.ts";

/** Days read more than they name (marks, hours), and refreshes read days. */
const RANK: Readonly<Record<DerivedPart["kind"], number>> = { buckets: 0, fold: 0, days: 1, refresh: 2 };

/** Whether something that it reads is not worked out yet. */
export function waitsFor(part: DerivedPart, left: ReadonlySet<DerivedPart>): boolean {
  const read = new Set(sourcesOfPart(part).map(({ name }) => name));
  const after = new Set(part.kind === "days" ? part.derivation.after : []);
  return [...left].some(
    (other) =>
      other !== part &&
      (RANK[other.kind] < RANK[part.kind] ||
        after.has(nameOf(other)) ||
        madeBy(other).some(({ name }) => read.has(name))),
  );
}

function sourcesOfPart(part: DerivedPart): readonly TableDefinition[] {
  if (part.kind === "fold") return part.fold.from.map(({ table }) => table);
  if (part.kind === "buckets") return sourcesOf(part.derivation);
  return part.kind === "refresh" ? part.refresh.from : part.derivation.from;
}
