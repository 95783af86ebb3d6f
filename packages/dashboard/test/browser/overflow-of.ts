import type { Page } from "playwright-core";

/** Describes elements that overflow the page to the right; content that scrolls within its own box does not count. */
export const overflowOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isClipped = (element: Element): boolean => {
      const box = element.parentElement;
      return box !== null && box !== document.body && (getComputedStyle(box).overflowX !== "visible" || isClipped(box));
    };
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1 && !isClipped(element),
    );
    return [
      `${scrollWidth} px wide in ${clientWidth}`,
      // Their ancestors are only as wide as the last ones made them.
      ...wide.slice(-3).map((element) => element.outerHTML.slice(0, 150)),
    ];
  });
