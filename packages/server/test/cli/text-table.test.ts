import { expect, test } from "vitest";
import { textTable } from "../../src/cli/text-table.ts";

test("a name that anyone could choose can neither add a line to a table nor command the terminal", () => {
  const names = ["a\nkey_2  forged", "\u001b[2Jgone", "\u009b1mbold", "back\r\u0007", "\u2028two", "\u202egnol"];
  const lines = textTable(
    ["ID", "NAME"],
    names.map((name) => ["key_1", name]),
  ).split(/\r|\n/);
  expect(lines).toHaveLength(1 + names.length);
  expect(lines.slice(1)).toEqual([
    String.raw`key_1  a\u000akey_2  forged`,
    String.raw`key_1  \u001b[2Jgone`,
    String.raw`key_1  \u009b1mbold`,
    String.raw`key_1  back\u000d\u0007`,
    String.raw`key_1  \u2028two`,
    String.raw`key_1  \u202egnol`,
  ]);
});

test("other letters of any script stay as they are", () => {
  expect(textTable(["NAME"], [["Zoë 東京 👩‍💻"]])).toBe("NAME\nZoë 東京 👩‍💻");
});
