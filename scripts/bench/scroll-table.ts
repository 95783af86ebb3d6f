import type { Browser, BrowserContextOptions } from "playwright-core";

const SCROLL_MS = 4000;
const ANSWER_MS = 120_000;

/** Frames while a table was scrolled from its head to its foot. */
export type Scrolled = {
  readonly rows: number;
  readonly shownMs: number;
  readonly frames: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly longestMs: number;
};

type Scroller = { scrollTop: number; readonly scrollHeight: number; readonly clientHeight: number };
type PageGlobals = {
  readonly document: { readonly querySelector: (selector: string) => Scroller | null };
  readonly requestAnimationFrame: (told: (now: number) => void) => void;
};

/** Runs on the page: scrolls the grid evenly for so long; the milliseconds between its frames. */
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

/** Asks for as many rows as a page may have, and scrolls through them. */
export async function scrollTable(browser: Browser, url: string, options: BrowserContextOptions): Promise<Scrolled> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url);
  const grid = page.getByRole("grid");
  await grid.waitFor({ timeout: ANSWER_MS });
  const shownMs = performance.now() - started;
  const rows = Number(await grid.getAttribute("aria-rowcount")) - 1;
  const frames = (await page.evaluate(scrollThrough, SCROLL_MS)).toSorted((a, b) => a - b);
  await context.close();
  const at = (share: number): number => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? 0;
  return { rows, shownMs, frames: frames.length, p50Ms: at(0.5), p95Ms: at(0.95), longestMs: at(1) };
}
