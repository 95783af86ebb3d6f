import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { faultKinds } from "../../../exchange/src/faults/fault-plan.ts";
import type { CampaignTotals } from "../../../../scripts/campaign/campaign-table.ts";
import { drawSimulation } from "../../../../scripts/simulate/draw-simulation.ts";
import { LifeThread } from "../../../../scripts/simulate/life-thread.ts";
import { SimClock } from "../../../../scripts/simulate/sim-clock.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const START_MS = Date.UTC(2026, 0, 10);
/** An ordinary run uses one seed: kills, clock jumps, and faults of the node, Kalshi and a websocket. */
const SEEDS = thoroughly([1, 2, 3, 4, 5, 6, 7, 8], [2]);

// Runs in its own process because it replaces timers, clock and network of the entire process.
test("simulation seeds lose nothing that coverage does not admit, and a thorough run repeats identically", async () => {
  const twice = thoroughly(["--twice"], []);
  const simulate = ["scripts/simulate.ts", "--seeds", SEEDS.join(","), ...twice, "--json"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, simulate, { cwd: ROOT });
  const totals = JSON.parse(stdout) as CampaignTotals;
  expect(totals.failed, stderr).toEqual([]);
  expect(totals.runs).toBe(SEEDS.length);
  expect(Object.keys(totals.injected).length).toBeGreaterThan(1);
  expect(totals.streams["fills"]?.truth, stderr).toBeGreaterThan(0);
}, 700_000);

test("a hundred seeds draw every kind of fault, kills, power cuts, full disks, clock jumps and index deaths", () => {
  const plans = Array.from({ length: 100 }, (_, place) => drawSimulation(place + 1));
  const met = new Set(plans.flatMap(({ faults }) => faults.faults.map(({ kind }) => kind)));
  expect([...met].toSorted()).toEqual(Object.keys(faultKinds).toSorted());
  for (const list of ["cuts", "powerCuts", "fullDisks", "clockJumps", "indexDeaths"] as const)
    expect(plans.filter((plan) => plan[list].length > 0).length, list).toBeGreaterThan(10);
  expect(drawSimulation(7)).toEqual(drawSimulation(7));
});

test("simulated time advances from event to event, and is paused during real work", async () => {
  const clock = new SimClock(START_MS);
  const reported: string[] = [];
  const report = (text: string) => () => void reported.push(`${text} ${clock.now() - START_MS}`);
  void clock.sleep(3_600_000).then(report("an hour"));
  void clock.during(5, () => sleep(30)).then(report("slow"));
  void clock.during(5, () => sleep(1)).then(report("quick"));
  void clock.sleep(4).then(report("sleep"));
  await clock.runTo(START_MS + 3_600_000);
  expect(reported).toEqual(["sleep 4", "slow 5", "quick 5", "an hour 3600000"]);
});

test("a clock jump delays what was due in it: a repeating timer fires once, and a cancelled one not at all", async () => {
  const clock = new SimClock(START_MS);
  const reported: string[] = [];
  const report = (text: string): void => void reported.push(`${text} ${clock.now() - START_MS}`);
  const repeat = (): void => {
    report("tick");
    clock.after(1000, repeat);
  };
  clock.after(1000, repeat);
  clock.after(2000, () => report("taken back"))();
  await clock.jump(10_000);
  await clock.runTo(START_MS + 11_500);
  expect(reported).toEqual(["tick 10000", "tick 11000"]);
});

test("real work that waits for simulated time lets the time advance", async () => {
  const clock = new SimClock(START_MS);
  const work = clock.during(1, () => clock.aside(() => clock.sleep(500)));
  await clock.runUntil(work);
  expect(clock.now() - START_MS).toBe(500);
});

test("a process that is cut off gets no more responses, at whichever step", async () => {
  for (const steps of [1, 2, 3]) {
    const clock = new SimClock(START_MS);
    const thread = new LifeThread(clock);
    const reached: string[] = [];
    const live = async (): Promise<void> => {
      await thread.over("one", 1, async () => void reached.push("one done"));
      reached.push("one heard");
      await thread.over("two", 1, async () => void reached.push("two done"));
    };
    thread.cutAfter(steps);
    void live();
    await clock.runTo(START_MS + 100);
    expect(thread.isAlive).toBe(false);
    expect(reached).toEqual([[], ["one done"], ["one done", "one heard"]][steps - 1]);
  }
});
