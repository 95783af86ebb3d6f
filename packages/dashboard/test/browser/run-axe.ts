import axe from "axe-core";
import type { Page } from "playwright-core";

/** What a change of colours alone can break. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * The serious and critical findings of axe on a page as it stands, in words. "colours": of a page that was looked at
 * whole in others.
 */
export async function runAxe(page: Page, about: "everything" | "colours" = "everything"): Promise<string[]> {
  // Evaluated, not injected: the policy allows no inline script.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const rules = about === "colours" ? { runOnly: COLOURS } : {};
  return page.evaluate(async (only) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await engine.run(document, { resultTypes: ["violations"], ...only });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, help, nodes }) =>
        nodes.slice(0, 5).map((node) => `${id} (${help}): ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
      );
  }, rules);
}
