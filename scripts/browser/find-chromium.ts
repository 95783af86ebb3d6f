import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** Message if no Chromium is found. */
export const NO_CHROMIUM =
  "no browser: install Debian's chromium-headless-shell or chromium, or name one with CHROMIUM_PATH";

/** Path of this machine's Chromium, or of the one that CHROMIUM_PATH names; undefined if none. */
export function findChromium(named: string | undefined = process.env["CHROMIUM_PATH"]): string | undefined {
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined;
  return PLACES.find((place) => existsSync(place));
}
