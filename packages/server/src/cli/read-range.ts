import { CommandError } from "./command-error.ts";
import { readMoment } from "./read-moment.ts";

/** A range from `--from` to `--to` (now without it), half-open, as ISO moments. Throws CommandError 2. */
export function readRange(from: unknown, to: unknown): { from: string; to: string } {
  const range = {
    from: readMoment("from", String(from)),
    to: to === undefined ? new Date() : readMoment("to", String(to)),
  };
  if (range.from >= range.to) throw new CommandError(2, "--from must be before --to");
  return { from: range.from.toISOString(), to: range.to.toISOString() };
}
