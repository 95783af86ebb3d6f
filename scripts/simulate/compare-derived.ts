import { bind, fromDefinition, sql } from "../../packages/server/src/definition/sql.ts";
import type { Derivation } from "../../packages/server/src/definition/derivation.ts";
import type { Clock } from "../../packages/server/src/ingest/clock.ts";
import { rebuildAll } from "../../packages/server/src/ingest/rebuild.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { differencesOf, readRowTexts } from "./row-texts.ts";

type Span = { readonly from: string; readonly to: string };

const UNCOMPARED: ReadonlySet<string> = new Set(["version", "marked_version", "is_gone"]);

/**
 * What the lives of a run worked out against the same made of its sources from nothing: a sentence for each row that is
 * another. What is made is stored.
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
    // What was not made again is there no more by its sources, where that is not written down.
    const where = derivation.marksGone ? all : sql`version > ${bind("UInt64", newest?.version ?? "0")}`;
    const right = await readRowTexts(store, into, UNCOMPARED, { where });
    differing.push(...differencesOf(left, right, "its sources").map((text) => `${into.name}: ${text}`));
  }
  return differing;
}
