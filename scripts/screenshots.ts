// Takes screenshots of every page of the dashboard into docs/screenshots, from the demo's world.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { findChromium, NO_CHROMIUM, launchChromium } from "./browser/chromium.ts";
import { findShown, shotsOf, type Shot } from "./screenshots/shots.ts";
import { openPage, settle } from "./browser/settle.ts";
import { type Who, signedIn } from "./browser/console-client.ts";
import { startDemo } from "./browser/start-demo.ts";
import { matching, readOptions } from "./read-options.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MAX_BYTES = 150_000;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** Charts animate in; wallets' figures are derived some time after their trades. */
const DRAWN_MS = 1500;
const DERIVED_MS = 60_000;
const HELP = `npm run screenshots -- [options]
  --out DIR   where they go (docs/screenshots)
  --only A,B  pages whose name begins so (all)
  --help      this text
`;

const { values } = readOptions("screenshots", {
  options: {
    out: { type: "string", default: join(root, "docs/screenshots") },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
const say = (text: string): void => void process.stderr.write(`${text}\n`);

type Look = { readonly suffix: string; readonly context: BrowserContextOptions };

const LIGHT: Look = { suffix: "", context: { viewport: DESKTOP, colorScheme: "light" } };
const LOOKS: readonly Look[] = [
  LIGHT,
  { suffix: "-dark", context: { viewport: DESKTOP, colorScheme: "dark" } },
  { suffix: "-phone", context: { viewport: PHONE, colorScheme: "light", isMobile: true } },
];

/** Takes one screenshot; returns its size in bytes. */
async function shoot(browser: Browser, url: string, file: string, options: BrowserContextOptions): Promise<number> {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  const page = await openPage(context);
  await page.goto(url);
  await settle(page);
  await page.waitForTimeout(DRAWN_MS);
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  await context.close();
  const picture = Buffer.from(data, "base64");
  writeFileSync(file, picture);
  return picture.length;
}

const looksOf = ({ isMain }: Shot): readonly Look[] => (isMain === true ? LOOKS : [LIGHT]);

async function shootAll(browser: Browser, origin: string, admin: Who): Promise<void> {
  const wanted = values.only.split(",").filter(Boolean);
  const shots = matching("only", wanted, shotsOf(await findShown({ origin, admin })));
  const session = await signedIn(browser, { origin, admin });
  for (const shot of shots) {
    for (const { suffix, context } of looksOf(shot)) {
      const name = `${shot.name}${suffix}.webp`;
      const who = shot.isOpen === true ? {} : session;
      const bytes = await shoot(browser, origin + shot.path, join(values.out, name), { ...context, ...who });
      say(`${name.padEnd(32)} ${Math.ceil(bytes / 1000)} kB`);
      if (bytes > MAX_BYTES) throw new Error(`${name} has ${bytes} bytes: a picture may have ${MAX_BYTES}`);
    }
  }
}

async function main(): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error(NO_CHROMIUM);
  mkdirSync(values.out, { recursive: true });
  say("starting the demo…");
  const { demo, stop } = await startDemo([]);
  const browser = await launchChromium(chromium);
  try {
    if (process.env["ALMANAC_DEMO"] === undefined) await new Promise((resolve) => setTimeout(resolve, DERIVED_MS));
    await shootAll(browser, new URL(demo.base_url).origin, demo.admin);
  } finally {
    await browser.close();
    await stop();
  }
}

if (values.help) process.stdout.write(HELP);
else {
  await main().catch((error: unknown) => {
    say(`screenshots: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
