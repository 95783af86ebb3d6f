import { expect, test, vi } from "vitest";
import { createRefresher } from "../../src/store/refresher.ts";

test("runs again after its period, also after the clock was set back", async () => {
  let runs = 0;
  const refresher = createRefresher(20, async () => {
    await Promise.resolve();
    runs += 1;
  });
  await refresher.ask("tokens");
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
  await refresher.ask("tokens");
  await expect.poll(() => runs).toBe(2);
  await refresher.settle();
  clock.mockRestore();
});
