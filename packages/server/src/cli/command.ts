import { defineCommand, type ArgsDef, type ParsedArgs } from "citty";
import type { AnyCommand } from "./run-command-line.ts";
import { commandContext } from "./command-context.ts";
import { AccessError } from "../access/access-error.ts";
import { ConfigError } from "../config.ts";

/**
 * Exit codes of failed commands: 1 failed, 2 wrong usage, 3 the named thing does not exist, 4 the compared things
 * differ.
 */
type FailureCode = 1 | 2 | 3 | 4;

/** Ends a command with a message for its user and an exit code. */
export class CommandError extends Error {
  readonly exitCode: FailureCode;

  constructor(exitCode: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** The exit code for an error; citty's own errors mean wrong usage. */
export function exitCodeOf(error: unknown): FailureCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return 2;
  if (error instanceof AccessError)
    return ({ invalid: 2, not_found: 3, conflict: 1, forbidden: 1 } as const)[error.problem];
  return error instanceof Error && error.name === "CLIError" ? 2 : 1;
}

type Parsed = { readonly _: readonly string[]; readonly [name: string]: unknown };

/** Throws for unknown arguments: citty accepts any, and a misspelt option must not be silently ignored. */
export function requireKnownArgs(definition: ArgsDef, parsed: Parsed): void {
  const names = Object.keys(definition).filter((name) => definition[name]?.type !== "positional");
  const positionals = Object.keys(definition).length - names.length;
  const known = new Set(["_", ...Object.keys(definition), ...Object.keys(definition).map(toCamel)]);
  const stranger = Object.keys(parsed).find((name) => !known.has(name));
  if (stranger !== undefined) {
    throw new CommandError(2, `unknown option --${stranger}; there are ${names.map((name) => `--${name}`).join(", ")}`);
  }
  if (parsed._.length > positionals) throw new CommandError(2, `unexpected argument: ${parsed._.at(positionals)}`);
  const empty = names.find((name) => definition[name]?.type !== "boolean" && parsed[name] === "");
  if (empty !== undefined) throw new CommandError(2, `--${empty} needs a value`);
}

const toCamel = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Loads the datasets; the few commands that need them get it, because loading takes longer than most commands run. */
export type Catalogue = () => Promise<readonly { readonly agentId: number }[]>;

type Command = {
  readonly name: string;
  readonly description: string;
  readonly args?: ArgsDef;
  /** `print` outputs the result, as text or, with --json, as one line. */
  readonly run: (args: ParsedArgs, print: (result: Result) => void) => Promise<void>;
};

/** Defines a command that supports --json and refuses unknown arguments. */
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

/** A command's result: `value` for --json (one line), `text` for people. */
export type Result = { readonly value: unknown; readonly text: string };

export function printResult(result: Result, asJson: boolean): void {
  commandContext().out.write(`${asJson ? JSON.stringify(result.value) : result.text}\n`);
}

/** Commands under one word, e.g. `almanac key …`. */
export function group(name: string, description: string, subCommands: Record<string, AnyCommand>): AnyCommand {
  return defineCommand({ meta: { name, description }, subCommands });
}
