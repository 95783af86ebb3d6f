import { expect, test } from "vitest";
import { downloadNote } from "../../src/explore/download.ts";

test("downloadNote says that a file contains only one page, and that rows may be missing", () => {
  expect(downloadNote({ isCut: false, isComplete: true }, 100)).toBe("");
  expect(downloadNote({ isCut: true, isComplete: true }, 100)).toBe("The file has the rows of one page (limit 100).");
  expect(downloadNote({ isCut: false, isComplete: false }, 100)).toContain("rows that exist upstream may be missing");
  expect(downloadNote({ isCut: true, isComplete: false }, 100)).toMatch(/one page .* incomplete/);
});
