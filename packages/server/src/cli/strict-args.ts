import type { ArgsDef } from "citty";
import { CommandError } from "./command-error.ts";

type Parsed = { readonly _: readonly string[]; readonly [name: string]: unknown };

/** citty takes whatever it is given; a misspelt option must not be dropped in silence. */
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
