import { bind, fromDefinition, sql } from "../../packages/server/src/definition/sql.ts";
import type { Derivation } from "../../packages/server/src/definition/derivation.ts";
import type { Clock } from "../../packages/server/src/ingest/clock.ts";
import { rebuildAll } from "../../packages/server/src/ingest/rebuild.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { differencesOf, readRowTexts } from "./row-texts.ts";

type Span = { readonly from: string; readonly to: string };

const UNCOMPARED: ReadonlySet<string> = new Set(["version", "marked_version", "is_gone"]);

/**
 * Compares derived rows left by a run's service processes with a rebuild from their sources: a sentence for each row
 * that differs. The rebuilt rows stay stored.
 */
export async function compareDerived(
  derivations: readonly Derivation[],
  store: OpenStore,
  clock: Pick<Clock, "now">,
  span: Span,
): Promise<string[]> {
  const differing: string[] = [];
  for (const derivation of derivations) {
    const { into } = derivation;
    const all = into.columns["is_gone"] === undefined ? sql`1` : sql`NOT is_gone`;
    const left = await readRowTexts(store, into, UNCOMPARED, { where: all });
    const [newest] = await store.rows<{ version: string }>(
      sql`SELECT toString(max(version)) AS version FROM ${fromDefinition(into.name)}`,
    );
    await rebuildAll(derivation, span, { store, clock, signal: new AbortController().signal });
    // A row that was not rebuilt is gone according to its sources, if the table does not mark it so.
    const where = derivation.marksGone ? all : sql`version > ${bind("UInt64", newest?.version ?? "0")}`;
    const right = await readRowTexts(store, into, UNCOMPARED, { where });
    differing.push(...differencesOf(left, right, "its sources").map((text) => `${into.name}: ${text}`));
  }
  return differing;
}
