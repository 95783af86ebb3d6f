import { CommandError } from "../../cli/command-error.ts";

/** An option that is a whole number from 1 on; undefined where it is not given. Throws CommandError. */
export function readWhole(name: string, text: unknown, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new CommandError(2, `--${name} is ${String(text)}: expected a whole number from 1 to ${most}`);
}
