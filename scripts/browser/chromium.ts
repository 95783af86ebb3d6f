import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** Message if no Chromium is found. */
export const NO_CHROMIUM =
  "no browser: install Debian's chromium-headless-shell or chromium, or name one with CHROMIUM_PATH";

/** Path of this machine's Chromium, or of the one that CHROMIUM_PATH names; undefined if none. */
export function findChromium(named: string | undefined = process.env["CHROMIUM_PATH"]): string | undefined {
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined;
  return PLACES.find((place) => existsSync(place));
}

/** Without these flags Chromium contacts its own hosts at every start; as root it needs --no-sandbox. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--process-per-site",
];

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}
