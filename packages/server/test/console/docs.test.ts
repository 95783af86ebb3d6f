import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reachOf, RIGHTS, type Right } from "../../src/access/rights.ts";
import { SETTINGS } from "../../src/settings.ts";
import { CONSOLE_ROUTES, type ConsoleRoute } from "../../src/http/console/console-routes.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/access.md"), "utf8");
const cellsIn = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
const lines = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map(cellsIn);

test.each(Object.keys(RIGHTS) as Right[])("docs/access.md states the scope of %s for each role", (right) => {
  const cells = lines.find(([first]) => first === `\`${right}\``);
  const reaches = (["member", "owner", "operator"] as const).map((role) => reachOf(role, right) ?? "–");
  expect(cells?.slice(2)).toEqual(reaches);
});

test("docs/access.md lists every route with its right", () => {
  const reported = lines
    .filter(([first]) => /^`(GET|POST|PUT|DELETE) /.test(first ?? ""))
    .map((cells) => cells.slice(0, 2));
  const routes = Object.values<ConsoleRoute>(CONSOLE_ROUTES).map(({ method, path, right }) => [
    `\`${method} ${path}\``,
    right === null ? "–" : `\`${right}\``,
  ]);
  expect(reported.sort()).toEqual(routes.sort());
});

test.each([
  "SESSION_IDLE_MINUTES",
  "SESSION_MAX_HOURS",
  "SIGN_IN_TRIES",
  "SIGN_IN_TRIES_PER_ADDRESS",
  "SIGN_IN_MINUTES",
  "TRUSTED_PROXIES",
] as const)("docs/access.md states the default and meaning of %s", (name) => {
  const setting = SETTINGS[name];
  const cells = lines.find(([first]) => first === `\`${name}\``);
  expect(cells).toEqual([`\`${name}\``, "default" in setting ? setting.default : "unset", setting.meaning]);
});
