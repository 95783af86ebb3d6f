import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Service } from "./console-client.ts";
import type { Who } from "./sign-in.ts";

/** Signs in once, as the form does but without a page; returns the context options of a signed-in user. */
export async function signedIn(
  browser: Browser,
  { origin, admin }: Service,
  who: Who = admin,
): Promise<Pick<BrowserContextOptions, "storageState">> {
  const context = await browser.newContext();
  const data = { email: who.email, password: who.password };
  const reply = await context.request.post(`${origin}/api/console/session`, { data, headers: { origin } });
  if (!reply.ok()) throw new Error(`signing in as ${who.email} answered ${reply.status()}: ${await reply.text()}`);
  const storageState = await context.storageState();
  await context.close();
  return { storageState };
}
