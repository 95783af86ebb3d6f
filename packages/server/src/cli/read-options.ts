import { CommandError } from "./command.ts";

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of `30s`, `15m`, `12h` or `90d`; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const FORM = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Whether a text has the form of a day or a timestamp. */
export const isTimestamp = (text: string): boolean => FORM.test(text);

/** Parses a day (its start, UTC) or an ISO-8601 timestamp with zone. */
export function readTimestamp(option: string, text: string): Date {
  const timestamp = new Date(FORM.test(text) ? text : Number.NaN);
  const isReal = !Number.isNaN(timestamp.getTime()) && (text.length > 10 || timestamp.toISOString().startsWith(text));
  if (!isReal)
    throw new CommandError(2, `--${option} is "${text}": expected a day (2027-01-31) or a time (2027-01-31T12:00:00Z)`);
  return timestamp;
}

/** A past range from `--from` to `--to` (default now), half-open, as ISO timestamps. Throws CommandError 2. */
export function readRange(from: unknown, to: unknown): { from: string; to: string } {
  const now = new Date();
  const range = {
    from: readTimestamp("from", String(from)),
    to: to === undefined ? now : readTimestamp("to", String(to)),
  };
  if (range.to > now)
    throw new CommandError(2, "--to is in the future: omit it to backfill until now; the service ingests what follows");
  if (range.from >= range.to) throw new CommandError(2, "--from must be before --to");
  return { from: range.from.toISOString(), to: range.to.toISOString() };
}

/** Parses an option's whole number; undefined if absent. */
export function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(2, `--${option} is "${text}": expected a whole number`);
  return Number(text);
}
