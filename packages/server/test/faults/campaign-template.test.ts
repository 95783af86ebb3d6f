import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTemplate } from "../../../../scripts/campaign/template-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-template-"));
const logFile = join(folder, "template.log");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const children = (): number => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;

test("gives up a template whose service does not listen in time, and ends its process", async () => {
  const before = children();
  const made = makeTemplate(join(folder, "late"), logFile, 1);
  await expect(made).rejects.toThrow(`the service did not listen within 1 ms; nothing is in its log, ${logFile}`);
  await expect.poll(children).toBe(before);
});

test("gives up a template whose service exits immediately, and reports the end of its log", async () => {
  const taken = join(folder, "taken");
  mkdirSync(taken);
  writeFileSync(join(taken, "columns"), "no folder");
  await expect(makeTemplate(taken, logFile)).rejects.toThrow(
    /ended \(\d+\) before it listened; the end of its log[^]*EEXIST/,
  );
});
