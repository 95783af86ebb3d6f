import axe from "axe-core";
import type { Page } from "playwright-core";

/** The serious and critical findings of axe on a page as it stands, in words. */
export async function runAxe(page: Page): Promise<string[]> {
  // Evaluated, not injected: the policy allows no inline script.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await engine.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, help, nodes }) =>
        nodes.slice(0, 5).map((node) => `${id} (${help}): ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
      );
  });
}
