import { defineCommand, type ArgsDef, type ParsedArgs } from "citty";
import { printResult, type Result } from "./print-result.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { requireKnownArgs } from "./strict-args.ts";

type Command = {
  readonly name: string;
  readonly description: string;
  readonly args?: ArgsDef;
  /** `print` says the result, as text or, with --json, as one line. */
  readonly run: (args: ParsedArgs, print: (result: Result) => void) => Promise<void>;
};

/** A command that has --json, and refuses arguments that it does not know. */
export function command({ name, description, args = {}, run }: Command): AnyCommand {
  const all: ArgsDef = { ...args, json: { type: "boolean", description: "Print one line of JSON" } };
  return defineCommand({
    meta: { name, description },
    args: all,
    run: async (context) => {
      requireKnownArgs(all, context.args);
      await run(context.args, (result) => printResult(result, context.args["json"] === true));
    },
  });
}
