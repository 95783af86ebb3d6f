import type { Browser } from "playwright-core";
import { findChromium, NO_CHROMIUM } from "../browser/find-chromium.ts";
import { openConsole } from "../browser/console-client.ts";
import { findThings } from "../browser/known-things.ts";
import { launchChromium } from "../browser/launch-chromium.ts";
import { signedIn } from "../browser/signed-in.ts";
import { startDemo } from "../browser/start-demo.ts";
import { loadPage, type PageLoad } from "./page-load.ts";
import { scrollTable } from "./scroll-table.ts";

const ROWS = 10_000;

/** First views of the main pages with an empty cache, the middle of several, and a long table scrolled through. */
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
    const asked = `${service.origin}/explore/polymarket-trades?_limit=${ROWS}`;
    const table = await scrollTable(browser, asked, session);
    print(
      `\n${table.rows} rows asked and shown in ${Math.round(table.shownMs)} ms; scrolled through in ${table.frames} frames: p50 ${table.p50Ms.toFixed(1)} ms, p95 ${table.p95Ms.toFixed(1)} ms, longest ${table.longestMs.toFixed(1)} ms.`,
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
  const middle = (of: (load: PageLoad) => number): number =>
    loads.map(of).toSorted((a, b) => a - b)[Math.floor(visits / 2)] ?? 0;
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
