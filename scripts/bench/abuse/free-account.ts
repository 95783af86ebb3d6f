import { Writable } from "node:stream";
import { ground, runOn, type Output } from "../../../packages/server/src/cli/ground.ts";
import { askOwner } from "../../../packages/server/src/control/ask-owner.ts";

/** More than any account may have. */
const MOST = 1000;

/** An account of the free plan in the running service, with as many keys as it may have. */
export async function makeFreeAccount(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const email = `abuser-${Date.now()}@almanac.invalid`;
  await tellOwner(["account", "create", "--name", "abuser", "--email", email, "--plan", "free", "--json"], env);
  const keys: string[] = [];
  while (keys.length < MOST) {
    const { exit, text } = await askOwnerFor(["key", "create", "--account", email, "--json"], env);
    if (exit !== 0 && keys.length > 0) return keys;
    if (exit !== 0) throw new Error(`no key was made: ${text}`);
    keys.push((JSON.parse(text) as { key: string }).key);
  }
  return keys;
}

async function tellOwner(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { exit, text } = await askOwnerFor(argv, env);
  if (exit !== 0) throw new Error(`almanac ${argv.join(" ")} ended with ${exit}: ${text}`);
}

/** A command in the running service, without a process of its own: a hundred of them would take minutes. */
async function askOwnerFor(argv: readonly string[], env: NodeJS.ProcessEnv) {
  let text = "";
  const out: Output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString("utf8");
      done();
    },
  });
  const exit = await runOn({ ...ground(), out, err: out }, () => askOwner(argv, env));
  return { exit, text };
}
