import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../src/main/command-tree.ts";
import { SETTINGS } from "../../src/settings.ts";
import { strangersIn } from "./metrics-in.ts";
import { readAlerts } from "./read-rules.ts";
import { REPOSITORY } from "./repository.ts";

const RUNBOOK = join(REPOSITORY, "docs/runbook");
const HEADINGS = ["What it means", "Who is hurt", "Where to look", "What to do", "When it is over"];
const pages = readdirSync(RUNBOOK).filter((file) => file !== "README.md");
const read = (file: string): string => readFileSync(join(RUNBOOK, file), "utf8");

/** Words that only look like settings of ours, such as those of other programs. */
const OTHERS = new Set(["SIGTERM", "SIGKILL", "SIGSTOP"]);

const sorted = (pairs: (string | undefined)[][]): string[] => [...new Set(pairs.map(String))].toSorted();

describe("runbook", () => {
  test("every alert has its page, and every page its alert", () => {
    const alerts = readAlerts().map(({ alert, annotations }) => [annotations?.["runbook_url"], `# ${alert}`]);
    const found = pages.map((file) => [`docs/runbook/${file}`, read(file).split("\n", 1)[0]]);
    expect(sorted(found)).toEqual(sorted(alerts));
    for (const file of pages) expect(read("README.md")).toContain(`(${file})`);
  });

  test.each(pages)(
    "%s has every section, and names only metrics, settings, commands and pages that exist",
    async (file) => {
      const text = read(file);
      expect(text.match(/^## (.*)$/gm)).toEqual(HEADINGS.map((heading) => `## ${heading}`));
      expect(strangersIn(text)).toEqual([]);
      for (const [, link = ""] of text.matchAll(/\]\(([^)]+)\)/g))
        expect(existsSync(join(RUNBOOK, link)), link).toBe(true);
      for (const [, path = ""] of text.matchAll(/\b((?:docs|deploy)\/[a-z0-9/.-]+\.[a-z]+)/g)) {
        expect(existsSync(join(REPOSITORY, path)), path).toBe(true);
      }
      for (const [, setting = ""] of text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)) {
        if (!OTHERS.has(setting)) expect(Object.keys(SETTINGS)).toContain(setting);
      }
      for (const command of commandsIn(text)) expect(await isCommand(command), command.join(" ")).toBe(true);
    },
  );
});

/** The words after `almanac`: a command, or a group and possibly one of its commands. */
const commandsIn = (text: string): readonly string[][] =>
  [...text.matchAll(/`almanac ([a-z-]+)(?: ([a-z]+))?/g)].map((words) => words.slice(1).filter((word) => word));

async function isCommand([first = "", second = ""]: readonly string[]): Promise<boolean> {
  const found = await resolved((await resolved(root.subCommands))?.[first]);
  const parts = await resolved(found?.subCommands);
  return found !== undefined && (parts === undefined || second === "" || second in parts);
}

/** Citty accepts a command as a value, as a promise of it, or as a function that returns it. */
async function resolved<Value>(
  given: Value | Promise<Value> | (() => Value | Promise<Value>) | undefined,
): Promise<Value | undefined> {
  return typeof given === "function" ? await (given as () => Value | Promise<Value>)() : await given;
}
