import { CommandError } from "./command.ts";

/** Parses an option's whole number; undefined if absent. */
export function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(2, `--${option} is "${text}": expected a whole number`);
  return Number(text);
}
