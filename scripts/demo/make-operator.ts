import { randomBytes } from "node:crypto";
import { makeKey, reportService } from "../service/report-service.ts";

export type Operator = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** Key in compatible mode. */
  readonly compatibleKey: string;
};

/**
 * Creates an account whose owner is the operator of the service, with a new password and new keys. In a kept folder the
 * account exists already: its password is changed, since the old one is unknown.
 */
export async function makeOperator(env: NodeJS.ProcessEnv): Promise<Operator> {
  const email = "admin@almanac.invalid";
  const password = randomBytes(15).toString("base64url");
  const account = ["--name", "demo", "--email", email, "--plan", "enterprise", "--operator"];
  const withPassword = (...args: string[]) => reportService([...args, "--password-stdin", "--json"], env, password);
  await withPassword("account", "create", ...account).catch(async (error: unknown) => {
    if (!(error instanceof Error) || !/already|taken|conflict/i.test(error.message)) throw error;
    await withPassword("user", "password", email);
  });
  const key = await makeKey(env, email, "--name", "demo");
  const compatibleKey = await makeKey(env, email, "--name", "demo-compatible", "--mode", "compatible");
  return { email, password, key, compatibleKey };
}
