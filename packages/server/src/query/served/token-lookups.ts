import { LRUCache } from "lru-cache";
import { atMost } from "../../definition/at-most.ts";
import { hexOf, isIn, type IdKind } from "../../definition/filter.ts";
import type { TokensOf } from "../../definition/served-dataset.ts";
import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { TokenReader } from "../../serving/token-reader.ts";
import type { Store } from "../../store/store.ts";

/** What a dictionary says of a token, by attribute; a text is empty where it says nothing. */
export type TokenInfo = Readonly<Record<string, string | number>>;

/** What is known of tokens. What is asked here may be kept for `lifeMs` while `epoch` stays the same. */
export type TokenLookups = {
  /** Of every token something, be it empty. */
  readonly infoOf: (tokens: readonly string[]) => Promise<ReadonlyMap<string, TokenInfo>>;
  readonly tokensOf: TokensOf;
  /** Another number after the tokens changed. */
  readonly epoch: () => number;
  readonly lifeMs: (isKnown: boolean) => number;
};

/** What is known of tokens held by key, with all that is stored. */
export type TokenSource = {
  readonly reader: Pick<TokenReader, "infosOf" | "tokensOf">;
  /** Is told why it could not be read. The engine answers then. */
  readonly failed: (cause: unknown) => void;
};

/** The source of a table of tokens, by its name; undefined where there is none now. */
export type TokenSources = (table: string) => TokenSource | undefined;

const LISTS = 50_000;
const LIFE_MS = 60_000;
const SHORT_LIFE_MS = 1_000;
/** The dictionary is read anew at most once a second and not at once: till then it may say what was before a change. */
const SETTLING_MS = 10_000;

/** Tokens as the store has them: from their index where it is there, else a statement for all that are not kept. */
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
      const asked = lookups.epoch();
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
          if (lookups.epoch() === asked)
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

/** Undefined where one of the lists is. */
const allOf = (lists: readonly (readonly string[] | undefined)[]): string[] | undefined => {
  const known = lists.filter((list) => list !== undefined);
  return known.length < lists.length ? undefined : [...new Set(known.flat())];
};

/** What the engine's dictionary says. */
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
    return sql`${fromDefinition(`dictGet('${dictionary.name}', '${attribute}', token)`)} AS ${named}`;
  });
  const asked = sql`SELECT toUInt256(arrayJoin(${bind("Array(String)", tokens)})) AS token`;
  return sql`SELECT ${joined([sql`toString(token) AS token_id`, ...attributes], sql`, `)} FROM (${asked})`;
}

function listSql(table: TableDefinition, column: string, kind: IdKind, list: Bound): Sql {
  const held = name(column);
  const value = kind === "text" ? held : hexOf(held);
  return sql`SELECT DISTINCT ${value} AS value, toString(token_id) AS token_id FROM ${table} WHERE ${isIn(column, kind, list)}`;
}
