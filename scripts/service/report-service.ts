import { Writable } from "node:stream";
import { commandContext, runInContext, type Output } from "../../packages/server/src/cli/command-context.ts";
import { askOwner } from "../../packages/server/src/control/ask-owner.ts";

/**
 * Runs a command in the running service that these settings name, over its control socket; returns its output. Throws
 * with the output if it failed.
 */
export async function reportService(argv: readonly string[], env: NodeJS.ProcessEnv, input = ""): Promise<string> {
  let text = "";
  const out: Output = new Writable({
    write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString("utf8"))),
  });
  const caller = { ...commandContext(), out, err: out, input: async () => input };
  const exit = await runInContext(caller, () => askOwner(argv, env));
  if (exit !== 0) throw new Error(`almanac ${argv.join(" ")} ended with ${exit}: ${text.trim()}`);
  return text;
}

/** Creates another key of an account. */
export async function makeKey(env: NodeJS.ProcessEnv, email: string, ...more: string[]): Promise<string> {
  const made = await reportService(["key", "create", "--account", email, ...more, "--json"], env);
  return (JSON.parse(made) as { key: string }).key;
}

/** Creates the key of a new account whose plan does not limit a benchmark. */
export async function makeUnboundedKey(env: NodeJS.ProcessEnv): Promise<string> {
  const email = `scripts-${Date.now()}@almanac.invalid`;
  const limits = ["--requests-per-minute", "1000000", "--burst", "1000000", "--max-page", "10000"];
  await reportService(["plan", "edit", "enterprise", ...limits, "--json"], env);
  await reportService(
    ["account", "create", "--name", "scripts", "--email", email, "--plan", "enterprise", "--json"],
    env,
  );
  return makeKey(env, email);
}
