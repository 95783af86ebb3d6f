import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { makeUser, openConsole, type ConsoleClient } from "../../../../scripts/browser/console-client.ts";
import { findPrinted } from "../../../../scripts/browser/known-things.ts";
import { launchChromium } from "../../../../scripts/browser/launch-chromium.ts";
import type { Who } from "../../../../scripts/browser/sign-in.ts";
import { signedIn } from "../../../../scripts/browser/signed-in.ts";
import { startDemo, type Demo } from "../../../../scripts/browser/start-demo.ts";
import { moveTo, NOWHERE } from "./move-to.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

/**
 * A quiet world, of a day since curves need a midnight; quieter still, tokens with prints would be waited for. A share of
 * what it says attacks whoever shows it: every page is shown with it.
 */
const DEMO = "--speed 0 --activity 0.25 --talk 0.2 --events 60 --hostile 0.3".split(" ");
const HOUR_OF_A_DAY = 1 / 24;
const LOOK_MS = 500;
/** So many tokens with prints: findThings has some to choose from. */
const PRINTED = 3;
const DESKTOP = { width: 1280, height: 800 };

export type OpenOptions = BrowserContextOptions & {
  /** Signed in as; nobody when absent. */
  readonly as?: Who;
  /**
   * In the context that all pages have which were opened with the same options: scripts come from its cache. For pages
   * that keep nothing for later ones; whoever signs in on one is nobody on the next.
   */
  readonly isShared?: boolean;
  /**
   * The page that was opened so with the same options moves on to the path, prepared as it was: the dashboard is not
   * loaded anew.
   */
  readonly isKept?: boolean;
  /** What is done with a new page before it shows its path. */
  readonly prepare?: (page: Page) => Promise<void>;
};

/** One service on hostile paper exchanges and one browser, for all tests. */
export type Stage = {
  readonly demo: Demo;
  readonly origin: string;
  readonly admin: Who;
  /** A member of the operator's account: one for all tests, made for the first. */
  readonly member: () => Promise<Who>;
  /** As the operator asks without a browser: one session, since the oldest of a user's sessions end beyond twenty. */
  readonly console: ConsoleClient;
  /** A page at a path of the dashboard, in a context of its own unless it is to be shared. */
  readonly open: (path: string, options?: OpenOptions) => Promise<WatchedPage>;
  /** What went wrong on any page since the last call; closes the pages. */
  readonly clear: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

/**
 * The world stood still while the service gathered it. What would have happened meanwhile happens at once, as often as
 * it takes until some tokens that traded have prints, which come over sockets alone; then nothing more happens in it:
 * the service works out what it has, and is then free for the pages.
 */
async function catchUp({ control_url }: Demo, console: ConsoleClient): Promise<void> {
  const headers = { "content-type": "application/json" };
  do {
    const body = JSON.stringify({ speed: 0, to_ms: Date.now() });
    const reply = await fetch(`${control_url}/clock`, { method: "POST", headers, body });
    if (!reply.ok) throw new Error(`the clock of the world answered ${reply.status}: ${await reply.text()}`);
    await sleep(LOOK_MS);
  } while ((await findPrinted(console, PRINTED)).length < PRINTED);
}

/** Days of history: an hour of it lies before the last midnight at the least, since examples ask as of yesterday. */
const historyDays = (): number => Math.max(1, (Date.now() % 86_400_000) / 86_400_000 + HOUR_OF_A_DAY);

export async function openStage(chromium: string): Promise<Stage> {
  const { demo, stop } = await startDemo([...DEMO, "--days", String(historyDays())]);
  const browser = await launchChromium(chromium);
  const origin = new URL(demo.base_url).origin;
  const service = { origin, admin: demo.admin };
  const console = await openConsole(service, demo.admin);
  await catchUp(demo, console);
  const opened: WatchedPage[] = [];
  const sessions = new Map<string, Awaited<ReturnType<typeof signedIn>>>();
  const shared = new Map<string, BrowserContext>();
  const kept = new Map<string, WatchedPage>();
  const contextFor = async ({ as, isShared = false, ...options }: OpenOptions): Promise<BrowserContext> => {
    const kind = JSON.stringify([as?.email, options]);
    const there = isShared ? shared.get(kind) : undefined;
    if (there !== undefined) {
      if (as === undefined) await there.clearCookies();
      return there;
    }
    const session = as === undefined ? {} : (sessions.get(as.email) ?? (await signedIn(browser, service, as)));
    if (as !== undefined) sessions.set(as.email, session);
    const context = await browser.newContext({
      viewport: DESKTOP,
      reducedMotion: "reduce",
      ...options,
      ...session,
    });
    if (!isShared) return context;
    shared.set(kind, context);
    // A page that stays keeps the process of the pages after it, which has compiled the scripts already.
    await (await context.newPage()).goto(`${origin}/health`);
    return context;
  };
  const openNew = async (path: string, { prepare, ...options }: OpenOptions): Promise<WatchedPage> => {
    const watched = await openWatchedPage(await contextFor(options), origin);
    opened.push(watched);
    await prepare?.(watched.page);
    await watched.page.goto(origin + path);
    return watched;
  };
  const open: Stage["open"] = async (path, { isKept = false, ...options } = {}) => {
    const kind = JSON.stringify([options.as?.email, options]);
    const there = isKept ? kept.get(kind) : undefined;
    if (there === undefined) {
      const watched = await openNew(path, options);
      if (isKept) kept.set(kind, watched);
      return watched;
    }
    opened.push(there);
    // Its look is changed while it shows next to nothing: what stood there would be laid out anew for nobody.
    await moveTo(there.page, NOWHERE.path);
    await there.page.setViewportSize(options.viewport ?? DESKTOP);
    await there.page.emulateMedia({ colorScheme: options.colorScheme ?? null });
    await moveTo(there.page, path);
    return there;
  };
  const clear: Stage["clear"] = async () => {
    const found: string[] = [];
    for (const watched of opened.splice(0)) {
      const problems = await watched.problems();
      found.push(...problems.map((problem) => `${new URL(watched.page.url()).pathname}: ${problem}`));
      if ([...kept.values()].includes(watched)) continue;
      const context = watched.page.context();
      await ([...shared.values()].includes(context) ? watched.page : context).close();
    }
    return found;
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await stop();
  };
  let made: Promise<Who> | undefined;
  const member = (): Promise<Who> =>
    (made ??= makeUser(service, { email: `member-${Date.now()}@almanac.invalid`, role: "member" }));
  return { demo, ...service, member, console, open, clear, close };
}
