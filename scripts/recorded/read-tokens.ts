import { sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/**
 * Has the engine read the tokens stored so far. The store does it by itself, at most once a second; until then an answer
 * has null for the market of a token stored just now.
 */
export async function readTokens(store: Pick<Store, "run">): Promise<void> {
  await store.run(sql`SYSTEM RELOAD DICTIONARY polymarket_token_info`);
}
