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
