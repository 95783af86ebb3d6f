import axe from "axe-core";
import type { Page } from "playwright-core";

/** Rules that a change of colours alone can break. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** One of the slowest rules, whose findings are moderate: they would be left out below. */
const MODERATE = { region: { enabled: false } };

/**
 * Describes the serious and critical axe findings of a page in its present state. "colours": for a page that was
 * checked completely in other colours.
 */
export async function runAxe(page: Page, about: "everything" | "colours" = "everything"): Promise<string[]> {
  // Evaluated, not injected: the policy allows no inline script.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const rules = about === "colours" ? { runOnly: COLOURS } : { rules: MODERATE };
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
