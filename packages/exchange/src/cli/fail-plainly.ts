/** Runs a command; a failure becomes one sentence on standard error and exit code 1, not a stack. */
export async function failPlainly(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`exchange: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
