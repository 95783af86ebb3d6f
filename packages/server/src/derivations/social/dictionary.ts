import type { ReadRows } from "../../definition/day-derivation.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketEvents } from "../../tables/polymarket-events.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import type { MatchMarket } from "./read-market.ts";
import type { DerivationReader } from "../../definition/derivation.ts";
import { createMatcherBeside, type Matcher } from "./create-matcher.ts";

export const DAY_MS = 86_400_000;

type Row = Omit<MatchMarket, "opened_ms" | "closed_ms" | "ends_ms"> & {
  readonly opened_ms: string;
  readonly closed_ms: string;
  /** 0 if the venue does not give it. */
  readonly ends_ms: string;
};

/**
 * From when a market is known until a day after it closed, while it is still discussed. If neither date is given, the
 * market counts as known when it last changed.
 */
const SPAN = sql`toUnixTimestamp64Milli(toDateTime64(coalesce(m.start_date, nullIf(e.start_date, toDateTime64(0, 6)), nullIf(e.created_date, toDateTime64(0, 6)), m.updated_at), 3)) AS opened_ms,
  if(m.closed, (toUnixTimestamp(coalesce(m.closed_date, m.end_date, toDateTime(m.updated_at))) + 86400) * 1000, 9007199254740991) AS closed_ms,
  toInt64(ifNull(toUnixTimestamp(coalesce(m.end_date, e.end_date)), 0)) * 1000 AS ends_ms`;

/** Markets that posts of a UTC day may be about. */
const openIn = (dayMs: number, columns: Sql): Sql =>
  sql`SELECT ${columns} FROM (
  SELECT concat('0x', lower(hex(m.condition_id))) AS condition_id, m.event_slug AS event_slug, m.question AS question, m.tags AS tags, ifNull(e.title, '') AS event_title, ${SPAN}
  FROM ${polymarketMarkets} AS m FINAL
  LEFT ANY JOIN (SELECT slug, title, start_date, created_date, end_date FROM ${polymarketEvents} FINAL) AS e ON e.slug = m.event_slug
) WHERE opened_ms < ${bind("Int64", dayMs + DAY_MS)} AND closed_ms >= ${bind("Int64", dayMs)}`;

export async function loadMarkets(read: ReadRows, dayMs: number): Promise<MatchMarket[]> {
  const columns = sql`condition_id, event_slug, question, tags, event_title, toString(opened_ms) AS opened_ms, toString(closed_ms) AS closed_ms, toString(ends_ms) AS ends_ms`;
  const rows = await read<Row>(sql`SELECT ${columns} FROM (${openIn(dayMs, sql`*`)}) ORDER BY condition_id`);
  return rows.map((row) =>
    Object.assign(row, {
      opened_ms: Number(row.opened_ms),
      closed_ms: Number(row.closed_ms),
      ends_ms: row.ends_ms === "0" ? undefined : Number(row.ends_ms),
    }),
  );
}

/** Changes with the set of these markets, not with their contents. */
export async function fingerprintOf(read: ReadRows, dayMs: number): Promise<string> {
  const [row] = await read<{ print: string }>(
    openIn(dayMs, sql`concat(toString(count()), '-', toString(groupBitXor(cityHash64(condition_id)))) AS print`),
  );
  return row?.print ?? "";
}

/** The terms of a UTC day: of all markets open in it, each found only while it was. */
type Dictionary = { readonly matcher: Matcher; readonly print: string; readonly opened: ReadonlyMap<string, number> };

const MAX_DAYS = 2;

/** The matcher for posts of a UTC day, created once. */
export async function matcherOf(reader: DerivationReader, dayMs: number): Promise<Matcher> {
  const days = daysOf(reader);
  const known = days.get(dayMs);
  if (known) return known.matcher;
  const made = await makeDictionary(reader, dayMs);
  days.set(dayMs, made);
  for (const old of [...days.keys()].slice(0, -MAX_DAYS)) days.delete(old);
  return made.matcher;
}

/**
 * Rebuilds the day's matcher if markets were added. Returns the time (Unix ms) when the first of them opened; undefined
 * if none.
 */
export async function refreshDay(reader: DerivationReader, dayMs: number): Promise<number | undefined> {
  const days = daysOf(reader);
  const known = days.get(dayMs);
  if (known === undefined || (await fingerprintOf(reader.read, dayMs)) === known.print) return undefined;
  const made = await makeDictionary(reader, dayMs);
  days.set(dayMs, made);
  let first: number | undefined;
  for (const [condition, opened] of made.opened) {
    if (!known.opened.has(condition) && (first === undefined || opened < first)) first = opened;
  }
  return first;
}

async function makeDictionary({ read }: DerivationReader, dayMs: number): Promise<Dictionary> {
  // Read first, so that markets added meanwhile are seen as new the next time.
  const print = await fingerprintOf(read, dayMs);
  const markets = await loadMarkets(read, dayMs);
  const opened = new Map(markets.map((market) => [market.condition_id, market.opened_ms]));
  return { matcher: await createMatcherBeside(markets, dayMs), print, opened };
}

function daysOf({ memory }: DerivationReader): Map<number, Dictionary> {
  const known = memory.get("days");
  if (known instanceof Map) return known as Map<number, Dictionary>;
  const days = new Map<number, Dictionary>();
  memory.set("days", days);
  return days;
}

export const dayOfMs = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
