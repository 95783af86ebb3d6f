import type { Sql } from "./sql.ts";

/**
 * When each of what is asked for was traded. `rows`: one of `id` (as it was asked for), `from_s` and `to_s` each, Unix
 * seconds, null where that is not known or not yet.
 */
export type Lifetimes = { readonly ids: readonly string[]; readonly rows: Sql };
