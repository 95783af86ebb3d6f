import { parseArgs, type ParseArgsConfig } from "node:util";

/** `parseArgs` of a script: a wrong option prints one line and exits with 2, since 1 is a result of its run. */
export function readOptions<const T extends ParseArgsConfig>(
  script: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    refuse(script, error instanceof Error ? error.message : String(error));
  }
}

/** Prints a wrong use in one line and exits with 2. */
export function refuse(script: string, problem: string): never {
  process.stderr.write(`${script}: ${problem.replaceAll("\n", " ")}\n`);
  process.exit(2);
}

type Bounds = { readonly least?: number; readonly most?: number; readonly isWhole?: boolean };

/** The number of an option, 0 or more by default; anything else prints one line and exits with 2. */
export function readNumber(
  script: string,
  option: string,
  text: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER, isWhole = false }: Bounds = {},
): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!isWhole || Number.isSafeInteger(value))) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  refuse(script, `--${option} is "${text}": expected a ${isWhole ? "whole " : ""}number ${range}`);
}

/** Those whose names begin with one of the parts, all if there are none; throws if a part is no name's beginning. */
export function matching<T extends { readonly name: string }>(
  option: string,
  parts: readonly string[],
  all: readonly T[],
): readonly T[] {
  const stray = parts.find((part) => !all.some(({ name }) => name.startsWith(part)));
  if (stray !== undefined) {
    const names = all.map(({ name }) => name).join(", ");
    throw new Error(`--${option} has "${stray}": expected the beginning of ${names}`);
  }
  return all.filter(({ name }) => parts.length === 0 || parts.some((part) => name.startsWith(part)));
}
