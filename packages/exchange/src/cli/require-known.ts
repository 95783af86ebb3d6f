/** Throws a sentence that names the first flag that a command does not have. */
export function requireKnown(rawArgs: readonly string[], flags: object): void {
  for (const arg of rawArgs) {
    const [, name] = /^--(?:no-)?([^=]+)/.exec(arg) ?? [];
    if (name !== undefined && !Object.hasOwn(flags, name))
      throw new Error(`--${name} is no flag of this command; see --help`);
  }
}
