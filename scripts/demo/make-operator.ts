import { randomBytes } from "node:crypto";
import type { Processes } from "./processes.ts";

const ALMANAC = "packages/server/src/main.ts";

export type Operator = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** One in compatible mode. */
  readonly compatibleKey: string;
};

/**
 * An account whose owner is the operator of the service, with a fresh password and fresh keys. In a kept folder the
 * account is there already: its password is changed, since nobody knows the old one.
 */
export async function makeOperator(processes: Processes, env: NodeJS.ProcessEnv): Promise<Operator> {
  const email = "admin@almanac.invalid";
  const password = randomBytes(15).toString("base64url");
  const almanac = (...args: string[]): Promise<Record<string, unknown>> =>
    processes.once([ALMANAC, ...args, "--json"], env, `${password}\n`);
  const account = ["--name", "demo", "--email", email, "--plan", "enterprise", "--operator"];
  await almanac("account", "create", ...account, "--password-stdin").catch(async (error: unknown) => {
    if (!(error instanceof Error) || !/already|taken|conflict/i.test(error.message)) throw error;
    await almanac("user", "password", email, "--password-stdin");
  });
  const makeKey = async (name: string, ...more: string[]): Promise<string> =>
    String((await almanac("key", "create", "--account", email, "--name", name, ...more))["key"]);
  const key = await makeKey("demo");
  return { email, password, key, compatibleKey: await makeKey("demo-compatible", "--mode", "compatible") };
}
