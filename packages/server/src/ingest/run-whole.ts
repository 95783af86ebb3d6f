import type { Derivation, DerivationMemory, Rebuild } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";

/** Makes all rows of the buckets again, by one statement or by rows made in TypeScript. Throws StoreError. */
export async function runWhole(
  derivation: Derivation,
  store: Pick<Store, "rows" | "read" | "run" | "insert">,
  rebuild: Rebuild,
  more: { readonly memory?: DerivationMemory; readonly settings?: Readonly<Record<string, string | number>> } = {},
): Promise<void> {
  const { memory = new Map(), settings = {} } = more;
  if (derivation.rebuild) return store.run(derivation.rebuild(rebuild), settings);
  const reader = {
    read: (statement) => store.rows(statement, { settings }),
    readBytes: (statement, format) => store.read(statement, { format, settings }),
    memory,
  } satisfies Parameters<typeof derivation.rows>[1];
  const mode = derivation.isNew ? "absent" : undefined;
  for await (const rows of derivation.rows(rebuild, reader)) await store.insert(derivation.into, rows, mode);
}
