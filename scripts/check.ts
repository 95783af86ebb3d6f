// All checks but the tests: format, lint, types, import rule, unused code.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readOptions } from "./read-options.ts";

readOptions("check", {});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name: string): string => join(root, "node_modules/.bin", name);

const CHECKS: readonly { name: string; command: string; args: readonly string[]; fix: string }[] = [
  { name: "format", command: bin("oxfmt"), args: ["--check"], fix: "npm run format" },
  { name: "lint", command: bin("oxlint"), args: ["--type-aware"], fix: "fix what it reports" },
  { name: "types", command: bin("tsc"), args: ["--noEmit", "-p", "tsconfig.json"], fix: "fix what it reports" },
  {
    name: "dashboard's types",
    command: bin("tsc"),
    args: ["--noEmit", "-p", "packages/dashboard"],
    fix: "fix what it reports",
  },
  { name: "import rule", command: process.execPath, args: ["scripts/check-imports.ts"], fix: "use the layer it names" },
  { name: "unused code", command: bin("knip"), args: ["--no-progress"], fix: "remove what it reports" },
];

let failed = 0;
for (const check of CHECKS) {
  const started = performance.now();
  const done = spawnSync(check.command, check.args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const isGood = done.status === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${isGood ? "ok    " : "FAILED"} ${check.name} (${seconds} s)\n`);
  if (isGood) continue;
  failed += 1;
  process.stdout.write(`${done.error?.message ?? ""}${done.stdout}${done.stderr}\n→ ${check.fix}\n`);
}
process.stdout.write(`checks: ${CHECKS.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
