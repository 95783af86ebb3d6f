import { expect, test } from "vitest";
import { nextTab } from "../src/ui/next-tab.ts";

const press = (key: string, altKey = false) => ({ key, altKey });

test("nextTab goes around the tabs, and leaves other keys and the browser's Back and Forward alone", () => {
  expect(nextTab(press("ArrowRight"), 2, 3)).toBe(0);
  expect(nextTab(press("ArrowLeft"), 0, 3)).toBe(2);
  expect(nextTab(press("Home"), 2, 3)).toBe(0);
  expect(nextTab(press("End"), 0, 3)).toBe(2);
  expect(nextTab(press("Tab"), 0, 3)).toBeUndefined();
  for (const key of ["ArrowLeft", "ArrowRight"]) expect(nextTab(press(key, true), 1, 3), key).toBeUndefined();
});
