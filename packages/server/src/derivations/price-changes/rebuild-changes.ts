import type { Rebuild, Touched } from "../../definition/derivation.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { changesSql } from "./changes-sql.ts";
import type { ResolutionPart } from "./resolution-part.ts";
import { sliceBarsSql } from "./slice-bars-sql.ts";
import { storedChangesSql } from "./stored-changes-sql.ts";
import { FIRST_CHANGED, LAST_CHANGED, TOUCHED, touchedBarsSql, withTouched } from "./touched-bars-sql.ts";

const OWN_COLUMNS = new Set(["is_gone", "version"]);
const made = Object.keys(priceChanges.columns).filter((column) => !OWN_COLUMNS.has(column));
const MADE = fromDefinition(made.join(", "));
const VALUES = fromDefinition(made.filter((column) => !priceChanges.key.includes(column)).join(", "));
const KEY = fromDefinition(priceChanges.key.join(", "));

/** The statement that makes changes at some resolutions again: around touched minutes, else of a slice of tokens. */
export function rebuildChanges(part: ResolutionPart, { touched, slice, changedSince, version }: Rebuild): Sql {
  const into = sql`INSERT INTO ${priceChanges} (${MADE}, is_gone, version, content)`;
  const all = (rows: Sql): Sql => sql`SELECT ${MADE}, is_gone, ${bind("UInt64", version)}, content FROM (${rows})`;
  if (touched === undefined) return sql`${into} ${all(rowsOf(part, sliceBarsSql(part, slice)))}`;
  const rows = rowsOf(part, touchedBarsSql(part, touched));
  const wanted = changedSince === undefined ? withGone(part, touched, rows) : onlyNew(part, touched, rows);
  return sql`${into} ${withTouched(touched)} ${all(wanted)}`;
}

const rowsOf = (part: ResolutionPart, bars: Sql): Sql =>
  sql`SELECT ${MADE}, false AS is_gone, cityHash64(toString(tuple(${VALUES}))) AS content FROM (${changesSql(part, bars)})`;

/** Rows that are not stored like this already. */
const onlyNew = (part: ResolutionPart, touched: readonly Touched[], rows: Sql): Sql =>
  sql`SELECT * FROM (${rows}) WHERE (resolution, bucket, token_id, content) NOT IN (SELECT toString(resolution), bucket, token_id, content FROM (${storedChangesSql(part, touched)}))`;

/** Where rows may have been taken away: also stored ones that are made no more, as gone. */
function withGone(part: ResolutionPart, touched: readonly Touched[], rows: Sql): Sql {
  const seconds = sql`transform(toString(resolution), [${part.names}], [${part.lengths}], 60)`;
  const known = sql`SELECT o.*, ${seconds} AS s, intDiv(toUnixTimestamp(bucket), s) AS b, t.lo AS lo, t.hi AS hi FROM (${storedChangesSql(part, touched)}) AS o INNER JOIN ${TOUCHED} AS t ON t.token_id = o.token_id`;
  return sql`SELECT * FROM (
  ${rows} UNION ALL SELECT ${MADE}, true AS is_gone, toUInt64(0) AS content FROM (${known}) WHERE b BETWEEN ${FIRST_CHANGED} AND ${LAST_CHANGED}
) ORDER BY ${KEY}, is_gone LIMIT 1 BY ${KEY}`;
}
