import { makeKey, tellService } from "../../service/tell-service.ts";

/** More than any account may have. */
const MOST = 1000;

/** An account of the free plan in the running service, with as many keys as it may have. */
export async function makeFreeAccount(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const email = `abuser-${Date.now()}@almanac.invalid`;
  await tellService(["account", "create", "--name", "abuser", "--email", email, "--plan", "free", "--json"], env);
  const keys = [await makeKey(env, email)];
  try {
    while (keys.length < MOST) keys.push(await makeKey(env, email));
  } catch {
    // It may have no more.
  }
  return keys;
}
