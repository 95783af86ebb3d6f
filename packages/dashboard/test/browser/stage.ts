import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "../../../../scripts/browser/launch-chromium.ts";
import { startDemo, type Demo } from "../../../../scripts/browser/start-demo.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

/** A share of what the paper world says attacks whoever shows it: every page is shown with it. */
const DEMO = ["--days", "1", "--hostile", "0.3"];
const DESKTOP = { width: 1280, height: 800 };

export type Who = { readonly email: string; readonly password: string };
export type OpenOptions = BrowserContextOptions & {
  /** Signed in as; nobody when absent. */
  readonly as?: Who;
};

/** One service on hostile paper exchanges and one browser, for all tests. */
export type Stage = {
  readonly demo: Demo;
  readonly origin: string;
  readonly admin: Who;
  /** A page in a context of its own, at a path of the dashboard. */
  readonly open: (path: string, options?: OpenOptions) => Promise<WatchedPage>;
  /** What went wrong on any page since the last call; closes the pages. */
  readonly clear: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

export async function openStage(chromium: string): Promise<Stage> {
  const { demo, stop } = await startDemo(DEMO);
  const browser = await launchChromium(chromium);
  const origin = new URL(demo.base_url).origin;
  const opened: WatchedPage[] = [];
  const sessions = new Map<string, BrowserContextOptions["storageState"]>();
  const open: Stage["open"] = async (path, { as, ...options } = {}) => {
    const state = as === undefined ? undefined : await sessionOf(browser, origin, as, sessions);
    const context = await browser.newContext({
      viewport: DESKTOP,
      reducedMotion: "reduce",
      ...options,
      ...(state === undefined ? {} : { storageState: state }),
    });
    const watched = await openWatchedPage(context, origin);
    opened.push(watched);
    await watched.page.goto(origin + path);
    return watched;
  };
  const clear: Stage["clear"] = async () => {
    const found: string[] = [];
    for (const watched of opened.splice(0)) {
      const problems = await watched.problems();
      found.push(...problems.map((problem) => `${new URL(watched.page.url()).pathname}: ${problem}`));
      await watched.page.context().close();
    }
    return found;
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await stop();
  };
  return { demo, origin, admin: demo.admin, open, clear, close };
}

async function sessionOf(
  browser: Browser,
  origin: string,
  who: Who,
  sessions: Map<string, BrowserContextOptions["storageState"]>,
): Promise<BrowserContextOptions["storageState"]> {
  const known = sessions.get(who.email);
  if (known !== undefined) return known;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  await signIn(page, who);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  const state = await context.storageState();
  sessions.set(who.email, state);
  await context.close();
  return state;
}

/** Fills in the form of /sign-in and sends it. */
export async function signIn(page: Page, { email, password }: Who): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
