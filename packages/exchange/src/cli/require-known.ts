type Flags = Readonly<Record<string, { readonly type: string }>>;

/** Throws a sentence that names the first flag that a command does not have; `--no-` stands before booleans alone. */
export function requireKnown(rawArgs: readonly string[], flags: Flags): void {
  for (const arg of rawArgs) {
    const [flag, no, name] = /^--(no-)?([^=]+)/.exec(arg) ?? [];
    if (name === undefined || flag === undefined) continue;
    if (!Object.hasOwn(flags, name) || (no !== undefined && flags[name]?.type !== "boolean"))
      throw new Error(`${flag} is no flag of this command; see --help`);
  }
}
