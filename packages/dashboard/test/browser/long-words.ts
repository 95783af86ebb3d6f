import type { Page } from "playwright-core";

/** As long as a venue's names and a post's words can be. */
const LONG_WORD = "W".repeat(600);
/** The part of it that a table cell shows after truncating. */
const SHOWN_WORD = "W".repeat(100);
/** Fields with third-party text. */
const OTHERS_TEXT =
  /^(?:question|title|event_title|outcome|side_[ab]_outcome|winning_outcome|category|username|content|name|label)$/;

export type LongWords = {
  /** From now on every third-party text is one word without a place to break it. */
  readonly answer: (page: Page) => Promise<void>;
  /** Number of texts replaced so far. */
  readonly counted: () => number;
  /** Whether a page shows such a text. */
  readonly isShown: (page: Page) => Promise<boolean>;
};

export function longWords(): LongWords {
  let lengthened = 0;
  const lengthen = (key: string, value: unknown): unknown => {
    const isTheirs = OTHERS_TEXT.test(key) && typeof value === "string" && value !== "";
    if (isTheirs) lengthened += 1;
    return isTheirs ? LONG_WORD : value;
  };
  return {
    answer: async (page) => {
      await page.route("**/api/console/ask", async (route) => {
        const response = await route.fetch();
        const answer = (await response.text()).trim();
        await route.fulfill({ response, json: JSON.parse(answer, lengthen) as unknown });
      });
    },
    counted: () => lengthened,
    isShown: async (page) => (await page.locator("main").textContent())?.includes(SHOWN_WORD) === true,
  };
}
