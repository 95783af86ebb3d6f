import { fromDefinition, sql } from "../../packages/server/src/definition/sql.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { engineEvents } from "./engine-events.ts";

/** Every token in the engine's memory, which is loaded again every 30 to 60 seconds while questions use it. */
export type DictionaryCost = { readonly tokens: number; readonly bytes: number; readonly reload_cpu_ms: number };

export async function reloadTokens(store: OpenStore): Promise<DictionaryCost> {
  const before = await engineEvents(store);
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  const after = await engineEvents(store);
  const [found] = await store.rows<{ tokens: string; bytes: string }>(
    sql`SELECT toString(element_count) AS tokens, toString(bytes_allocated) AS bytes FROM system.dictionaries WHERE name = 'polymarket_token_info'`,
  );
  // An element is one attribute of a token.
  const tokens = Number(found?.tokens ?? 0);
  return {
    tokens,
    bytes: Number(found?.bytes ?? 0),
    reload_cpu_ms: Math.round((after.cpu_us - before.cpu_us) / 1_000),
  };
}
