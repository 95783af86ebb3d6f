import type { Browser, BrowserContextOptions } from "playwright-core";
import { findChromium, NO_CHROMIUM, launchChromium } from "../browser/chromium.ts";
import { openConsole, signedIn } from "../browser/console-client.ts";
import { findThings } from "../browser/known-things.ts";
import { startDemo } from "../browser/start-demo.ts";
import { loadPage, type PageLoad } from "./page-load.ts";
import { quantile } from "./latency.ts";

const SCROLL_MS = 4000;
const ANSWER_MS = 120_000;

/** Frames while a table was scrolled from top to bottom. */
type Scrolled = {
  readonly rows: number;
  readonly shownMs: number;
  readonly frames: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
};

type Scroller = { scrollTop: number; readonly scrollHeight: number; readonly clientHeight: number };
type PageGlobals = {
  readonly document: { readonly querySelector: (selector: string) => Scroller | null };
  readonly requestAnimationFrame: (reported: (now: number) => void) => void;
};

/** Runs on the page: scrolls the grid evenly for this long; returns the milliseconds between frames. */
function scrollThrough(lengthMs: number): Promise<number[]> {
  const { document: shown, requestAnimationFrame: nextFrame } = globalThis as unknown as PageGlobals;
  const grid = shown.querySelector('[role="grid"]');
  if (grid === null) return Promise.resolve([]);
  return new Promise((resolve) => {
    const frames: number[] = [];
    let [begun, before] = [0, 0];
    const step = (now: number): void => {
      if (begun === 0) begun = now;
      else frames.push(now - before);
      before = now;
      grid.scrollTop = ((now - begun) / lengthMs) * (grid.scrollHeight - grid.clientHeight);
      if (now - begun < lengthMs) nextFrame(step);
      else resolve(frames);
    };
    nextFrame(step);
  });
}

/** Requests the largest page of rows and scrolls through it. */
async function scrollTable(browser: Browser, url: string, options: BrowserContextOptions): Promise<Scrolled> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url);
  const grid = page.getByRole("grid");
  await grid.waitFor({ timeout: ANSWER_MS });
  const shownMs = performance.now() - started;
  const rows = Number(await grid.getAttribute("aria-rowcount")) - 1;
  const frames = await page.evaluate(scrollThrough, SCROLL_MS);
  await context.close();
  const at = (share: number): number => quantile(frames, share);
  return { rows, shownMs, frames: frames.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

const ROWS = 10_000;

/** First views of the main pages with an empty cache (median of several), and scrolling of a long table. */
export async function benchDashboard({
  visits,
  print,
}: {
  visits: number;
  print: (line: string) => void;
}): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error(NO_CHROMIUM);
  const { demo, stop } = await startDemo([]);
  const browser = await launchChromium(chromium);
  try {
    const service = { origin: new URL(demo.base_url).origin, admin: demo.admin };
    const { condition_id, wallet } = await findThings(await openConsole(service, service.admin));
    const session = await signedIn(browser, service);
    print("| page | first paint ms | largest paint ms | script ms | script kB | all kB | requests |");
    print("|---|---|---|---|---|---|---|");
    const pages = [
      "/",
      "/explore/polymarket-trades",
      `/markets/polymarket/${condition_id}`,
      `/wallets/${wallet}`,
      "/leaderboards",
    ];
    print(await lineOf(browser, `${service.origin}/sign-in`, {}, visits));
    for (const path of pages) print(await lineOf(browser, service.origin + path, session, visits));
    const requested = `${service.origin}/explore/polymarket-trades?_limit=${ROWS}`;
    const table = await scrollTable(browser, requested, session);
    print(
      `\n${table.rows} rows asked and shown in ${Math.round(table.shownMs)} ms; scrolled through in ${table.frames} frames: p50 ${table.p50Ms.toFixed(1)} ms, p95 ${table.p95Ms.toFixed(1)} ms, longest ${table.maxMs.toFixed(1)} ms.`,
    );
  } finally {
    await browser.close();
    await stop();
  }
}

async function lineOf(
  browser: Browser,
  url: string,
  session: Parameters<typeof loadPage>[2],
  visits: number,
): Promise<string> {
  const loads: PageLoad[] = [];
  for (let visit = 0; visit < visits; visit += 1) loads.push(await loadPage(browser, url, session));
  const middle = (of: (load: PageLoad) => number): number => quantile(loads.map(of), 0.5);
  const cells = [
    middle((load) => load.firstPaintMs).toFixed(0),
    middle((load) => load.largestPaintMs).toFixed(0),
    middle((load) => load.scriptMs).toFixed(0),
    (middle((load) => load.scriptBytes) / 1000).toFixed(1),
    (middle((load) => load.allBytes) / 1000).toFixed(1),
    String(middle((load) => load.requests)),
  ];
  const path = new URL(url).pathname.replace(/0x[0-9a-f]+/, "…");
  return `| ${path} | ${cells.join(" | ")} |`;
}
