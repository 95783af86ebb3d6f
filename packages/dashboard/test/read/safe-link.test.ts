import { expect, test } from "vitest";
import { safeLink } from "../../src/read/value-text.ts";

test("safeLink accepts only web addresses", () => {
  expect(safeLink("https://news.ycombinator.com/item?id=1")).toBe("https://news.ycombinator.com/item?id=1");
  for (const hostile of [
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "data:text/html,<script>1</script>",
    "vbscript:x",
    "//evil.example",
    "/relative",
    "",
  ])
    expect(safeLink(hostile)).toBeUndefined();
});
