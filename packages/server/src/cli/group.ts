import { defineCommand } from "citty";
import type { AnyCommand } from "./run-command-line.ts";

/** Commands under one word, e.g. `almanac key …`. */
export function group(name: string, description: string, subCommands: Record<string, AnyCommand>): AnyCommand {
  return defineCommand({ meta: { name, description }, subCommands });
}
