import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Service } from "./console-client.ts";
import { signIn, type Who } from "./sign-in.ts";

/** What a context needs to be somebody's: signs in by the form, once. */
export async function signedIn(
  browser: Browser,
  { origin, admin }: Service,
  who: Who = admin,
): Promise<Pick<BrowserContextOptions, "storageState">> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  await signIn(page, who);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  const storageState = await context.storageState();
  await context.close();
  return { storageState };
}
