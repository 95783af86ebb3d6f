import { sayGlobal } from "./say-global.ts";

/** Where a statement goes: to the node that is asked, or, with the rows' own tables as its target, to every node. */
export type Route =
  | { readonly to: "one"; readonly writes: string | undefined }
  | { readonly to: "each"; readonly writes: string | undefined; readonly text: string };

const STAGING = /^(staged|fresh)_/;
const TARGETED = /^\s*(DELETE FROM|ALTER TABLE|TRUNCATE TABLE(?: IF EXISTS)?|OPTIMIZE TABLE)\s+(\w+)\b/i;
const RELOAD = /^\s*SYSTEM RELOAD DICTIONARY\b/i;
const INSERT = /^\s*INSERT INTO\s+(?:TABLE\s+)?(\w+)\b/i;
/** A table that a subquery reads: without its database it would be the rows' own, of one shard only. */
const READ = /\b(FROM|JOIN)\s+(?!(?:system|input|numbers)\b)(\w+)\b(?!\s*[.(])/gi;

/** `database` is the one that is asked, `shards` that of the rows. */
export function routeStatement(text: string, database: string, shards: string): Route {
  if (RELOAD.test(text)) return { to: "each", text, writes: undefined };
  const targeted = TARGETED.exec(text);
  if (targeted === null) {
    const written = INSERT.exec(text)?.[1];
    return { to: "one", writes: written === undefined || STAGING.test(written) ? undefined : written };
  }
  const [head, verb, table] = targeted as unknown as [string, string, string];
  if (STAGING.test(table)) return { to: "one", writes: undefined };
  const rest = sayGlobal(text.slice(head.length).replaceAll(READ, `$1 ${database}.$2`));
  return { to: "each", text: `${verb} ${shards}.${table}${rest}`, writes: table };
}
