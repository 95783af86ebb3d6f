import type { DayDerivation } from "../../definition/day-derivation.ts";
import type { Derivation } from "../../definition/derivation.ts";
import type { Fold } from "../../definition/fold.ts";
import type { Refresh } from "../../definition/refresh.ts";
import type { TableDefinition } from "../../definition/table.ts";

/** What works one or some derived tables out. */
export type DerivedPart =
  | { readonly kind: "buckets"; readonly derivation: Derivation }
  | { readonly kind: "fold"; readonly fold: Fold }
  | { readonly kind: "days"; readonly derivation: DayDerivation }
  | { readonly kind: "refresh"; readonly refresh: Refresh };

export function nameOf(part: DerivedPart): string {
  if (part.kind === "fold") return part.fold.name;
  return part.kind === "refresh" ? part.refresh.name : part.derivation.name;
}

/** The tables that it fills. */
export function madeBy(part: DerivedPart): readonly TableDefinition[] {
  if (part.kind === "fold") return part.fold.into;
  return [part.kind === "refresh" ? part.refresh.into : part.derivation.into];
}
