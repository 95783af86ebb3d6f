import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { datasets } from "../../../../server/src/catalogue.ts";
import { findThings, type KnownThings } from "../../../../../scripts/browser/known-things.ts";
import { moveTo } from "../move-to.ts";
import type { Stage } from "../stage.ts";

type Dataset = (typeof datasets)[number];

const ANSWER_MS = 40_000;
/** Time for a service that has just started to compute all derivations. */
const DERIVED_MS = 180_000;

/** Waits for the answer to a query and returns its number of rows. */
async function rowsOf(page: Page): Promise<number> {
  const answer = page.getByRole("region", { name: "Answer" });
  const status = answer.getByRole("status").first();
  const alert = page.getByRole("alert");
  await expect
    .poll(async () => /\d+ rows/.test((await status.textContent()) ?? "") || (await alert.count()) > 0, {
      timeout: ANSWER_MS,
    })
    .toBe(true);
  if ((await alert.count()) > 0) throw new Error(`refused: ${await alert.first().textContent()}`);
  return Number(/(\d+) rows/.exec((await status.textContent()) ?? "")?.[1]);
}

/** Query string of an example with identifiers of this world: the example's own are from the real venues. */
function aboutHere(dataset: Dataset, known: KnownThings): string {
  const things: Record<string, string> = { ...known, proxy_wallet: known.wallet, wallet_address: known.wallet };
  const [example] = dataset.examples;
  const requested = Object.entries(example?.params ?? {})
    .filter(([name]) => !/_time$|^as_of|^day|^date/.test(name))
    .map(([name, value]) => [name, things[name] ?? (name === "keywords" ? "{will,up}" : value)]);
  return new URLSearchParams(Object.fromEntries(requested) as Record<string, string>).toString();
}

/** Runs queries on a page that shows the dataset, and returns the number of rows. */
async function explore(page: Page, dataset: Dataset, known: KnownThings): Promise<number> {
  const form = page.getByRole("form", { name: `Ask ${dataset.title}` });
  await form.waitFor();
  const controls = await form
    .locator("[name]")
    .evaluateAll((elements) => elements.map((element) => element.getAttribute("name")));
  expect(controls, "a control for each parameter").toEqual(
    expect.arrayContaining([...Object.keys(dataset.params), "limit", "offset"]),
  );
  const examples = form.getByRole("listitem").getByRole("button");
  expect(await examples.allInnerTexts()).toEqual(dataset.examples.map(({ title }) => title));
  await examples.first().click();
  await form.getByRole("button", { name: "Run" }).click();
  const rows = await rowsOf(page);
  if (rows > 0) return rows;
  // This world has none of the things that the example names, and the answer says so.
  await page.getByText("No rows", { exact: true }).waitFor();
  const here = aboutHere(dataset, known);
  if (here === "") return 0;
  await moveTo(page, `/explore/${dataset.name}?${here}`);
  return rowsOf(page);
}

/** Computed from complete days and ended markets: may be empty in a world that is a day old. */
const MAY_BE_EMPTY = new Set(["calibration", "score-history", "wallet-score-leaderboard"]);

/** Number of rows drawn for each dataset, by its name. */
const drawn = new Map<string, number>();

export function journeyExploring(stage: () => Stage): void {
  describe("the explorer", () => {
    let known: KnownThings | undefined;

    it.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
      "%s: shows its form, its example and its rows",
      async (name, dataset) => {
        known ??= await findThings(stage().console);
        const { page } = await stage().open(`/explore/${name}`, { as: stage().admin, isShared: true, isKept: true });
        drawn.set(name, await explore(page, dataset, known));
        expect(await page.getByRole("grid").count()).toBe(drawn.get(name) === 0 ? 0 : 1);
      },
    );

    it("shows rows of every dataset except those that need days of history", async () => {
      expect(drawn.size).toBe(datasets.length);
      const empty = datasets.filter(({ name }) => drawn.get(name) === 0 && !MAY_BE_EMPTY.has(name));
      for (const dataset of empty) {
        const { page } = await stage().open("/explore", { as: stage().admin });
        // The market and wallet that traded last may have no rows: the next try takes others.
        let choice = 0;
        const rows = async () => {
          await page.goto(`${stage().origin}/explore/${dataset.name}`);
          return explore(page, dataset, await findThings(stage().console, choice++));
        };
        await expect.poll(rows, { timeout: DERIVED_MS, interval: 5000, message: dataset.name }).toBeGreaterThan(0);
      }
    }, 600_000);
  });
}
