import { LRUCache } from "lru-cache";
import { atMost } from "../../definition/at-most.ts";
import { hexOf, isIn, type IdKind } from "../../definition/filter.ts";
import type { TokensOf } from "../../definition/served-dataset.ts";
import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { TokenReader } from "../../serving/token-reader.ts";
import type { Store } from "../../store/store.ts";

/** Dictionary attributes of a token, by name; a text is empty if unknown. */
export type TokenInfo = Readonly<Record<string, string | number>>;

/** Looks up tokens. Results may be cached for `lifeMs` while `epoch` stays the same. */
export type TokenLookups = {
  /** Returns an entry for every token, if only an empty one. */
  readonly infoOf: (tokens: readonly string[]) => Promise<ReadonlyMap<string, TokenInfo>>;
  readonly tokensOf: TokensOf;
  /** Changes after the tokens changed. */
  readonly epoch: () => number;
  readonly lifeMs: (isKnown: boolean) => number;
};

/** Token data held by key, including all that is stored. */
export type TokenSource = {
  readonly reader: Pick<TokenReader, "infosOf" | "tokensOf">;
  /** Called with the reason a read failed; the query then falls back to the engine. */
  readonly failed: (cause: unknown) => void;
};

/** Returns the source of a token table by name; undefined if none is available now. */
export type TokenSources = (table: string) => TokenSource | undefined;

const LISTS = 50_000;
const LIFE_MS = 60_000;
const SHORT_LIFE_MS = 1_000;
/**
 * The dictionary is reloaded at most once a second and with a delay; until then it may return data from before a
 * change.
 */
const SETTLING_MS = 10_000;

/** Looks tokens up in their index if available, else with one statement for all that are not cached. */
export function openTokenLookups(
  store: Pick<Store, "rows" | "ownStampOf">,
  table: TableDefinition,
  sources: TokenSources,
  now: () => number = Date.now,
): TokenLookups {
  const lists = new LRUCache<string, { readonly tokens: readonly string[]; readonly until: number }>(atMost(LISTS));
  let [stamp, epoch, changedAt] = [store.ownStampOf(table), 0, 0];
  const fromIndex = <Found>(read: (reader: TokenSource["reader"]) => Found | undefined): Found | undefined => {
    const source = sources(table.name);
    try {
      return source && read(source.reader);
    } catch (cause) {
      source?.failed(cause);
      return undefined;
    }
  };
  const lookups: TokenLookups = {
    infoOf: async (tokens) => {
      const known = fromIndex((reader) => reader.infosOf(tokens));
      if (known !== undefined) return known;
      return askInfos(store, table, tokens);
    },
    tokensOf: async (column, kind, list) => {
      const values = [...new Set(list.value as readonly string[])];
      const held = fromIndex((reader) => allOf(values.map((value) => reader.tokensOf(column, value))));
      if (held !== undefined) return held;
      const requested = lookups.epoch();
      const found = new Map<string, readonly string[]>();
      for (const value of values) {
        const kept = lists.get(`${column} ${value}`);
        if (kept !== undefined && kept.until > now()) found.set(value, kept.tokens);
      }
      const missing = values.filter((value) => !found.has(value));
      if (missing.length > 0) {
        const rows = await store.rows<ListRow>(listSql(table, column, kind, bind(list.type, missing)));
        for (const value of missing) {
          const tokens = rows.filter((row) => row.value === value).map(({ token_id: token }) => token);
          found.set(value, tokens);
          if (lookups.epoch() === requested)
            lists.set(`${column} ${value}`, { tokens, until: now() + lookups.lifeMs(tokens.length > 0) });
        }
      }
      return [...new Set([...found.values()].flat())];
    },
    epoch: () => {
      const current = store.ownStampOf(table);
      if (current !== stamp) {
        [stamp, epoch, changedAt] = [current, epoch + 1, now()];
        lists.clear();
      }
      return epoch;
    },
    lifeMs: (isKnown) => (isKnown && now() - changedAt > SETTLING_MS ? LIFE_MS : SHORT_LIFE_MS),
  };
  return lookups;
}

/** Undefined if one of the lists is. */
const allOf = (lists: readonly (readonly string[] | undefined)[]): string[] | undefined => {
  const known = lists.filter((list) => list !== undefined);
  return known.length < lists.length ? undefined : [...new Set(known.flat())];
};

/** Token data from the engine's dictionary. */
export async function askInfos(
  store: Pick<Store, "rows">,
  table: TableDefinition,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, TokenInfo>> {
  const rows = await store.rows<TokenRow>(infoSql(table, tokens));
  return new Map(rows.map(({ token_id: token, ...info }) => [token, info]));
}

type TokenRow = { readonly token_id: string } & TokenInfo;
type ListRow = { readonly value: string; readonly token_id: string };

function infoSql({ name: table, dictionary }: TableDefinition, tokens: readonly string[]): Sql {
  if (dictionary === undefined) throw new TypeError(`${table} has no dictionary`);
  const attributes = Object.keys(dictionary.attributes).map((attribute) => {
    const named = name(attribute);
    return sql`${fromDefinition(`dictGet('${dictionary.name}', '${attribute}', toString(token))`)} AS ${named}`;
  });
  const requested = sql`SELECT toUInt256(arrayJoin(${bind("Array(String)", tokens)})) AS token`;
  return sql`SELECT ${joined([sql`toString(token) AS token_id`, ...attributes], sql`, `)} FROM (${requested})`;
}

function listSql(table: TableDefinition, column: string, kind: IdKind, list: Bound): Sql {
  const held = name(column);
  const value = kind === "text" ? held : hexOf(held);
  return sql`SELECT DISTINCT ${value} AS value, toString(token_id) AS token_id FROM ${table} WHERE ${isIn(column, kind, list)}`;
}
