import { roundedTo } from "./number-text.ts";
import { dayOf as dayOfSecond } from "./day-of.ts";
import { bind, sql, type Bound, type Sql } from "./sql.ts";

export type Timestamp =
  | { readonly ok: true; readonly engineText: string }
  | { readonly ok: false; readonly expected: string };

const EARLIEST = Date.UTC(2010, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const FORMS = "Unix seconds (10 digits), Unix milliseconds (13 digits), ISO-8601 or YYYY-MM-DD, from 2010 to 2100";
const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Parses a timestamp as wire.md accepts it. The number of digits decides between seconds and milliseconds, and a result
 * outside 2010–2100 is refused with the unit that was expected. `engineText` is "YYYY-MM-DD hh:mm:ss.ffffff" in UTC.
 */
export function parseTimestamp(text: string, edge: "start" | "end"): Timestamp {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return fromNumber(trimmed);
  if (/^\d+(\.\d+)?e\+?\d{1,2}$/i.test(trimmed)) return fromNumber(roundedTo(trimmed, 6)?.text ?? trimmed);
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return fromDay(trimmed, edge);
  return fromIso(trimmed);
}

function refuse(why: string): Timestamp {
  return { ok: false, expected: why };
}

function render(milliseconds: number, micros: string): Timestamp {
  if (!(milliseconds >= EARLIEST && milliseconds < LATEST)) return refuse(FORMS);
  const iso = new Date(milliseconds).toISOString();
  return { ok: true, engineText: `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${micros}` };
}

function fromNumber(text: string): Timestamp {
  const [whole = "", fraction = ""] = text.split(".");
  if (whole.length === 13) {
    const value = Number(whole);
    const micros = `${String(value % 1000).padStart(3, "0")}${fraction.slice(0, 3).padEnd(3, "0")}`;
    return render(Math.floor(value / 1000) * 1000, micros);
  }
  if (whole.length > 10) {
    return refuse(`${FORMS}; ${whole.length} digits are neither seconds nor milliseconds`);
  }
  const read = render(Number(whole) * 1000, fraction.slice(0, 6).padEnd(6, "0"));
  return read.ok
    ? read
    : refuse(`${FORMS}; a number of ${whole.length} digits is read as seconds, and this one is outside that range`);
}

/** Whether the date exists: 30 February would be parsed as 2 March. */
function isDay(text: string): boolean {
  const value = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(value) && new Date(value).toISOString().slice(0, 10) === text;
}

function fromDay(text: string, edge: "start" | "end"): Timestamp {
  if (!isDay(text)) return refuse(FORMS);
  const value = Date.parse(`${text}T00:00:00Z`);
  return edge === "start" ? render(value, "000000") : render(value + 86_399_000, "999999");
}

function fromIso(text: string): Timestamp {
  const match = ISO.exec(text);
  if (!match) return refuse(FORMS);
  const [, day = "", clock = "", fraction = "", zone = "Z"] = match;
  const offset =
    zone.length === 3 ? `${zone}:00` : zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const value = Date.parse(`${day}T${clock.length === 5 ? `${clock}:00` : clock}${offset}`);
  if (Number.isNaN(value) || !isDay(day)) return refuse(FORMS);
  return render(value, fraction.slice(0, 6).padEnd(6, "0"));
}

/** The UTC day a request is answered as of: the one sent, else that of `now` (microseconds since 1970). */
export const asOfDay = (sent: Bound | undefined, now: Bound): Sql =>
  sent === undefined ? sql`toDate(${bind("Date", dayOf(now))})` : sql`toDate(${sent})`;

const dayOf = ({ value }: Bound): string => new Date(Number(value) / 1000).toISOString().slice(0, 10);

const DAY = 86_400;
const DAY_MICROS = DAY * 1e6;

/** The same as `asOfDay`, as days since 1970. */
export const dayNumber = (sent: Bound | undefined, now: Bound): number =>
  sent === undefined ? Math.floor(Number(now.value) / DAY_MICROS) : Date.parse(String(sent.value)) / 1000 / DAY;

/** A day number (days since 1970) as an expression of type Date. */
export const lastDaySql = (day: number): Sql => sql`toDate(${bind("Date", dayOfSecond(day * DAY))})`;

/** A bound timestamp, "YYYY-MM-DD hh:mm:ss.ffffff" in UTC, in microseconds since 1970. */
export const timestampMicros = ({ value }: Bound): number => isoMicros(`${String(value).replace(" ", "T")}Z`);

/** Parses an ISO timestamp to microseconds, exact to six decimals of a second. */
export function isoMicros(text: string): number {
  const [whole = "", fraction = ""] = text.slice(0, -1).split(".");
  return Date.parse(`${whole}Z`) * 1000 + Number(fraction.padEnd(6, "0"));
}
