import { CommandError } from "./command-error.ts";

const FORM = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day (its first moment, UTC) or an ISO-8601 moment with its zone. */
export function readMoment(option: string, text: string): Date {
  const moment = new Date(FORM.test(text) ? text : Number.NaN);
  const isReal = !Number.isNaN(moment.getTime()) && (text.length > 10 || moment.toISOString().startsWith(text));
  if (!isReal)
    throw new CommandError(
      2,
      `--${option} is "${text}": expected a day (2027-01-31) or a moment (2027-01-31T12:00:00Z)`,
    );
  return moment;
}
