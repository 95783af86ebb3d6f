/** Runs a command; a failure prints one sentence to standard error and exits with code 1, without a stack trace. */
export async function failPlainly(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`exchange: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
