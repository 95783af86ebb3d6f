import type { DayDerivation } from "../../definition/day-derivation.ts";
import type { Derivation } from "../../definition/derivation.ts";
import type { Fold } from "../../definition/fold.ts";
import type { Refresh } from "../../definition/refresh.ts";
import { deriveChangedDays } from "../../ingest/day/derive-changed-days.ts";
import { inOrder } from "../../ingest/day/in-order.ts";
import { rebuildFold, type RebuildFold } from "../../ingest/fold/rebuild-fold.ts";
import { refreshAll } from "../../ingest/refresh/refresh-all.ts";
import { deriveBuckets } from "./derive-buckets.ts";

export type DerivedPart =
  | { readonly kind: "buckets"; readonly derivation: Derivation }
  | { readonly kind: "fold"; readonly fold: Fold }
  | { readonly kind: "days"; readonly derivation: DayDerivation }
  | { readonly kind: "refresh"; readonly refresh: Refresh };

export type Shown = { readonly what: string; readonly share: number; readonly done: string };
export type DerivedResult = { readonly name: string; readonly made: string; readonly seconds: number };
export type DeriveRun = RebuildFold & { readonly onShown: (shown: Shown) => void };

/** Works derived tables out, those first that others read: buckets of time, folds, days, refreshes. */
export async function deriveAll(
  parts: readonly DerivedPart[],
  isWhole: boolean,
  run: DeriveRun,
): Promise<readonly DerivedResult[]> {
  const done: DerivedResult[] = [];
  for (const part of sorted(parts)) {
    run.signal.throwIfAborted();
    const { name } = "fold" in part ? part.fold : "refresh" in part ? part.refresh : part.derivation;
    const started = run.clock.now();
    run.onShown({ what: name, share: 0, done: "" });
    const made = await derivePart(part, isWhole, run, (share, text) => run.onShown({ what: name, share, done: text }));
    done.push({ name, made, seconds: (run.clock.now() - started) / 1000 });
  }
  return done;
}

async function derivePart(
  part: DerivedPart,
  isWhole: boolean,
  run: DeriveRun,
  onProgress: (share: number, text: string) => void,
): Promise<string> {
  if (part.kind === "buckets") return deriveBuckets(part.derivation, isWhole, run, onProgress);
  if (part.kind === "fold") {
    const done = await rebuildFold(part.fold, isWhole, {
      ...run,
      onProgress: ({ share, keys, rows }) => onProgress(share, `${keys} keys, ${rows} rows`),
    });
    return `${done.rows} rows of ${done.keys} keys`;
  }
  if (part.kind === "refresh") return `${await refreshAll([part.refresh], run.clock.now(), run)} rows`;
  const days = await deriveChangedDays(part.derivation, isWhole, {
    ...run,
    onProgress: (_name, day, count, of) => onProgress(count / of, day),
  });
  return `${days} days`;
}

function sorted(parts: readonly DerivedPart[]): readonly DerivedPart[] {
  const days = inOrder(parts.flatMap((part) => (part.kind === "days" ? [part.derivation] : [])));
  return [
    ...parts.filter(({ kind }) => kind === "buckets" || kind === "fold"),
    ...days.map((derivation) => ({ kind: "days" as const, derivation })),
    ...parts.filter(({ kind }) => kind === "refresh"),
  ];
}
