const LINKS = /polymarket\.com\/(?:[a-z]{2}\/)?event\/([a-z0-9-]{1,200})/giu;
const MOST_TEXT = 10_000;
const MOST_LINKS = 5;

/** Slugs of Polymarket events that a text links to. */
export const linkedEvents = (text: string): ReadonlySet<string> =>
  text.includes("/event/")
    ? new Set(
        [...text.slice(0, MOST_TEXT).matchAll(LINKS)].slice(0, MOST_LINKS).map(([, slug = ""]) => slug.toLowerCase()),
      )
    : new Set();
