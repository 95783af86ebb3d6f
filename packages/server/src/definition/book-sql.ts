import type { Asking, OrderKey } from "./dataset.ts";
import { within } from "./filter.ts";
import { bind, joined, sql, type Bound, type Named, type Sql } from "./sql.ts";

const AND = sql` AND `;
/**
 * Far enough back for the last state of any actively traded book. Old weeks may be in object storage (see store/cold),
 * so they are read only if these days hold too few rows; checking that nearly doubles the planning cost.
 */
const LOOK_BACK_DAYS = 28;
const BEGINNING = sql`toDateTime64('1970-01-01 00:00:00', 3, 'UTC')`;

const daysBefore = (timestamp: Sql): Sql => sql`(${timestamp} - toIntervalDay(${bind("UInt32", LOOK_BACK_DAYS)}))`;

/** A scalar: the time from which the newest `wanted` rows before `until` are found. */
function since(events: Named, conditions: readonly Sql[], until: Sql, wanted: Bound): Sql {
  const recent = sql`SELECT 1 FROM ${events} WHERE ${joined(conditions, AND)} AND ts >= ${daysBefore(until)} LIMIT 1 BY ts LIMIT ${wanted}`;
  return sql`(SELECT if(count() >= ${wanted}, ${daysBefore(until)}, ${BEGINNING}) FROM (${recent}))`;
}

/** The last size of each price, ascending or descending by price, without levels of size 0. */
function settled(levels: Sql, isDescending: boolean): Sql {
  const ordered = sql`arraySort((level, at) -> (level.price, at), ${levels}, arrayEnumerate(${levels}))`;
  const last = sql`arrayFilter((level, next) -> level.size > 0 AND (isNull(next) OR level.price != next), ${ordered}, arrayPopFront(arrayPushBack(arrayMap(level -> toNullable(level.price), ${ordered}), NULL)))`;
  return isDescending ? sql`arrayReverse(${last})` : last;
}

/**
 * The rows of one page of an instrument's book, each the full book after the last event of a millisecond: ts, seq,
 * hash, bid_levels (ascending), ask_levels (descending). Changes before an instrument's first snapshot cannot be
 * applied and are omitted. A range of a single timestamp gives the book as of that time.
 */
export function rebuiltBook(
  events: Named,
  instrument: Bound,
  range: { from: Bound | undefined; to: Bound | undefined },
  asking: Asking,
  order: readonly OrderKey[],
): Sql {
  const isTimestamp = range.from !== undefined && range.from.value === range.to?.value;
  const mine = sql`instrument = ${instrument}`;
  const conditions = [
    mine,
    ...within(sql`ts`, isTimestamp ? undefined : range.from, range.to),
    asking.after(order),
    ...(asking.snapshot ? [sql`ingested_at <= fromUnixTimestamp64Micro(${asking.snapshot})`] : []),
  ];
  // The book as of a time is one row, which an offset skips: it does not reach an earlier book.
  const rows = isTimestamp ? Math.min(asking.rows, Number(asking.offset === 0)) : asking.rows;
  const until = range.to ? sql`${range.to}` : sql`fromUnixTimestamp64Milli(intDiv(${asking.now}, 1000), 'UTC')`;
  const isOpen = asking.recentFirst === true && (isTimestamp || range.from === undefined);
  const wanted = bind("UInt64", rows + asking.offset);
  const withOpenFrom = isOpen ? sql`${since(events, conditions, until, wanted)} AS open_from, ` : sql``;
  const found = isOpen ? [...conditions, sql`ts >= open_from`] : conditions;
  // LIMIT BY makes the engine read whole blocks, so a single row omits it.
  const byTimestamp = rows + asking.offset > 1 ? sql` LIMIT 1 BY ts` : sql``;
  const withBounds = sql`(SELECT (min((ts, seq)), max((ts, seq)), count()) FROM (SELECT ts, seq FROM ${events} WHERE ${joined(found, AND)} ORDER BY ts DESC, seq DESC${byTimestamp} LIMIT ${bind("UInt64", rows)} OFFSET ${bind("UInt64", asking.offset)})) AS bounds`;
  const snapshots = [mine, sql`kind = 'snapshot'`, sql`ts <= bounds.1.1`, sql`(ts, seq) <= bounds.1`];
  const withStateFrom = asking.recentFirst
    ? sql`${since(events, snapshots, sql`bounds.1.1`, bind("UInt64", 1))} AS state_from, `
    : sql``;
  const states = asking.recentFirst ? [...snapshots, sql`ts >= state_from`] : snapshots;
  const withBase = sql`(SELECT max((ts, seq)) FROM (SELECT ts, seq FROM ${events} WHERE ${joined(states, AND)} ORDER BY ts DESC, seq DESC LIMIT 1)) AS base`;
  const numbered = sql`SELECT ts, seq, hash, bids, asks, sum(kind = 'snapshot') OVER (ORDER BY ts, seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS since FROM ${events} WHERE ${mine} AND ts >= base.1 AND ts <= bounds.2.1 AND (ts, seq) >= base AND (ts, seq) <= bounds.2`;
  const grown = sql`SELECT ts, seq, hash, since, groupArrayArray(bids) OVER state AS all_bids, groupArrayArray(asks) OVER state AS all_asks FROM (${numbered}) WINDOW state AS (PARTITION BY since ORDER BY ts, seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const shown = sql`SELECT * FROM (${grown}) WHERE since > 0 AND (ts, seq) >= bounds.1 AND bounds.3 > 0 ORDER BY ts DESC, seq DESC LIMIT 1 BY ts`;
  return sql`(WITH ${withOpenFrom}${withBounds}, ${withStateFrom}${withBase} SELECT ts, seq, hash, ${settled(sql`all_bids`, false)} AS bid_levels, ${settled(sql`all_asks`, true)} AS ask_levels FROM (${shown}))`;
}
