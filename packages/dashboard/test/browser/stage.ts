import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import {
  makeUser,
  openConsole,
  type ConsoleClient,
  type Who,
  signedIn,
} from "../../../../scripts/browser/console-client.ts";
import { findPrinted } from "../../../../scripts/browser/known-things.ts";
import { launchChromium } from "../../../../scripts/browser/chromium.ts";
import { startDemo, type Demo } from "../../../../scripts/browser/start-demo.ts";
import { moveTo, NOWHERE } from "./move-to.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

/**
 * A quiet world with a day of history, since curves need a midnight; if quieter, prints would be slow to appear. A
 * share of its texts is hostile: every page is shown with them.
 */
const DEMO = "--speed 0 --activity 0.25 --talk 0.2 --events 60 --hostile 0.3".split(" ");
const HOUR_OF_A_DAY = 1 / 24;
const LOOK_MS = 500;
/** Number of tokens with prints, so that findThings has some to choose from. */
const PRINTED = 3;
const DESKTOP = { width: 1280, height: 800 };

export type OpenOptions = BrowserContextOptions & {
  /** Signed in as this user; without a session if absent. */
  readonly as?: Who;
  /**
   * Opens it in the context shared by all pages with the same options, so that scripts come from its cache. For pages
   * that leave no state behind; a sign-in on one page does not carry over to the next.
   */
  readonly isShared?: boolean;
  /**
   * Reuses the page opened earlier with the same options and preparation, and navigates it to the path without
   * reloading the dashboard.
   */
  readonly isKept?: boolean;
  /** Prepares a new page before it shows its path. */
  readonly prepare?: (page: Page) => Promise<void>;
};

/** One service on hostile paper exchanges and one browser, for all tests. */
export type Stage = {
  readonly demo: Demo;
  readonly origin: string;
  readonly admin: Who;
  /** A member of the operator's account, created on the first call and shared by all tests. */
  readonly member: () => Promise<Who>;
  /** The operator's requests without a browser: one session, since a user's oldest sessions end beyond twenty. */
  readonly console: ConsoleClient;
  /** Opens a page at a path of the dashboard, in a context of its own unless it is shared. */
  readonly open: (path: string, options?: OpenOptions) => Promise<WatchedPage>;
  /** Returns the problems of all pages since the last call, and closes the pages. */
  readonly clear: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

/**
 * The world was paused while the service gathered it. Advances its clock to now repeatedly until some traded tokens
 * have prints, which come over sockets alone; then the world pauses again, and the service computes its derivations and
 * is free for the pages.
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

/** Days of history, with at least an hour before the last midnight, since examples ask as of yesterday. */
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
    // A page that stays open keeps the process for later pages, which has compiled the scripts already.
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
    // Viewport and colours change while it shows next to nothing: the old content would be laid out again for nothing.
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
