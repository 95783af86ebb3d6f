/** Runs a command whose `main` returns its exit code; an error prints one line and exits with 2, a signal with 130. */
export async function runCommand(name: string, main: () => Promise<number>): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
