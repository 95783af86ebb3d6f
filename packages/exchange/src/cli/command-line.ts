import { readFileSync } from "node:fs";
import { z } from "zod";
import { type FaultPlan, faultPlan } from "../faults/fault-plan.ts";

/** Parses the numeric value of a flag; throws an error that names the flag. */
export function readNumber(flag: string, text: string, bounds: { min: number; max: number }): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= bounds.min && value <= bounds.max)) {
    throw new Error(`--${flag} must be a number from ${bounds.min} to ${bounds.max}, got "${text}"`);
  }
  return value;
}

type Flags = Readonly<Record<string, { readonly type: string }>>;

/** Throws an error that names the first unknown flag; the `--no-` prefix is accepted for boolean flags only. */
export function requireKnown(rawArgs: readonly string[], flags: Flags): void {
  for (const arg of rawArgs) {
    const [flag, no, name] = /^--(no-)?([^=]+)/.exec(arg) ?? [];
    if (name === undefined || flag === undefined) continue;
    if (!Object.hasOwn(flags, name) || (no !== undefined && flags[name]?.type !== "boolean"))
      throw new Error(`${flag} is no flag of this command; see --help`);
  }
}

/** Reads a fault plan from a JSON file; throws an error that names the file and what is wrong with it. */
export function readFaultPlan(file: string): FaultPlan {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const plan = faultPlan.safeParse(json);
  if (!plan.success) throw new Error(`${file} is not a fault plan:\n${z.prettifyError(plan.error)}`);
  return plan.data;
}

/** Runs a command; a failure prints one sentence to standard error and exits with code 1, without a stack trace. */
export async function failPlainly(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`exchange: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
