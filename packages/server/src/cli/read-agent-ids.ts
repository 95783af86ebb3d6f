import { CommandError } from "./command-error.ts";

/** Agent ids separated by commas. */
export function readAgentIds(text: string): number[] {
  return text.split(",").map((part) => {
    if (!/^\s*\d{1,9}\s*$/.test(part)) {
      throw new CommandError(2, `--datasets has "${part}": expected agent ids separated by commas, e.g. 556,574`);
    }
    return Number(part);
  });
}
