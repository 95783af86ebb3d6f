import { CommandError } from "./command-error.ts";
import { readMoment } from "./read-moment.ts";

/** A past range from `--from` to `--to` (now without it), half-open, as ISO moments. Throws CommandError 2. */
export function readRange(from: unknown, to: unknown): { from: string; to: string } {
  const now = new Date();
  const range = {
    from: readMoment("from", String(from)),
    to: to === undefined ? now : readMoment("to", String(to)),
  };
  if (range.to > now)
    throw new CommandError(2, "--to is ahead of now: leave it out to gather until now; the service gathers what comes");
  if (range.from >= range.to) throw new CommandError(2, "--from must be before --to");
  return { from: range.from.toISOString(), to: range.to.toISOString() };
}
