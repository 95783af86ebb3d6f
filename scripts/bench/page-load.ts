import type { Browser, BrowserContextOptions, CDPSession } from "playwright-core";
import { openPage, settle } from "../browser/settle.ts";

/** Cost of one cold visit: milliseconds since navigation, bytes as transferred. */
export type PageLoad = {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly scriptMs: number;
  readonly scriptBytes: number;
  readonly allBytes: number;
  readonly requests: number;
};

type Timing = { name: string; initiatorType: string; encodedBodySize: number; startTime: number };
type Observed = { readonly getEntries: () => Timing[] };
type PageGlobals = {
  readonly performance: { readonly getEntriesByType: (type: string) => Timing[] };
  readonly PerformanceObserver: new (reported: (list: Observed) => void) => {
    observe: (options: { type: string; buffered: boolean }) => void;
    disconnect: () => void;
  };
};

/** Runs on the page: its paints and every resource it requested. */
async function readTimings(): Promise<{ first: number; largest: number; files: Timing[] }> {
  const { performance: timings, PerformanceObserver: Observer } = globalThis as unknown as PageGlobals;
  const largest = await new Promise<number>((resolve) => {
    const observer = new Observer((list) => {
      observer.disconnect();
      resolve(list.getEntries().at(-1)?.startTime ?? 0);
    });
    observer.observe({ type: "largest-contentful-paint", buffered: true });
  });
  const first = timings.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint");
  const files = [...timings.getEntriesByType("navigation"), ...timings.getEntriesByType("resource")];
  return {
    first: first?.startTime ?? 0,
    largest,
    files: files.map(({ name, initiatorType, encodedBodySize, startTime }) => ({
      name,
      initiatorType,
      encodedBodySize,
      startTime,
    })),
  };
}

async function scriptSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0;
}

const bytesOf = (files: readonly Timing[]): number => files.reduce((sum, file) => sum + file.encodedBodySize, 0);

/** Opens a page in its own context, so with an empty cache, and waits until nothing on it is loading. */
export async function loadPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<PageLoad> {
  const context = await browser.newContext(options);
  const page = await openPage(context);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(url);
  await settle(page);
  const { first, largest, files } = await page.evaluate(readTimings);
  const scriptMs = (await scriptSeconds(session)) * 1000;
  await context.close();
  return {
    firstPaintMs: first,
    largestPaintMs: largest,
    scriptMs,
    scriptBytes: bytesOf(files.filter(({ name }) => new URL(name).pathname.endsWith(".js"))),
    allBytes: bytesOf(files),
    requests: files.length,
  };
}
