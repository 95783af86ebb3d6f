import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { findChromium, NO_CHROMIUM } from "../../../../scripts/browser/chromium.ts";
import { journeyAsking } from "./journeys/asking.ts";
import { journeyBudgets } from "./journeys/budgets.ts";
import { journeyExamples } from "./journeys/examples.ts";
import { journeyExploring } from "./journeys/exploring.ts";
import { journeyHostile } from "./journeys/hostile.ts";
import { journeyInterrupted } from "./journeys/interrupted.ts";
import { journeyKeyboard } from "./journeys/keyboard.ts";
import { journeyKeys } from "./journeys/keys.ts";
import { journeyMovingOn } from "./journeys/moving-on.ts";
import { journeyPages } from "./journeys/pages.ts";
import { journeyRoles } from "./journeys/roles.ts";
import { journeySigningIn } from "./journeys/signing-in.ts";
import { openStage, type Stage } from "./stage.ts";

const chromium = findChromium();
const title = "the dashboard in a browser";

// One service and one browser for all journeys: starting both takes longer than most journeys.
describe.skipIf(chromium === undefined)(chromium === undefined ? `${title} (${NO_CHROMIUM})` : title, () => {
  let opened: Stage | undefined;
  const stage = (): Stage => {
    if (opened === undefined) throw new Error("the stage did not open");
    return opened;
  };
  beforeAll(async () => {
    opened = await openStage(chromium ?? "");
  }, 300_000);
  afterAll(() => opened?.close(), 60_000);
  afterEach(async () => {
    expect(await stage().clear(), "what went wrong on a page").toEqual([]);
  });

  journeySigningIn(stage);
  journeyKeys(stage);
  journeyRoles(stage);
  journeyKeyboard(stage);
  journeyAsking(stage);
  journeyExploring(stage);
  journeyBudgets(stage);
  journeyHostile(stage);
  journeyMovingOn(stage);
  journeyInterrupted(stage);
  journeyPages(stage);
  journeyExamples(stage);
});
