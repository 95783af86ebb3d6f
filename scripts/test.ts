// Every check and every test; ends with one line of counts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDashboard } from "./dashboard/ensure-dashboard.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "almanac-test-"));
const report = join(folder, "vitest.json");

type Group = { assertionResults: { status: string; ancestorTitles: string[]; title: string }[] };
type Report = {
  testResults: Group[];
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
};

function runChecks(): { passed: number; failed: number } {
  const done = spawnSync(process.execPath, [join(root, "scripts/check.ts")], { cwd: root, encoding: "utf8" });
  process.stdout.write(done.stdout + done.stderr);
  const found = /checks: (\d+) passed, (\d+) failed/.exec(done.stdout);
  return found ? { passed: Number(found[1]), failed: Number(found[2]) } : { passed: 0, failed: 1 };
}

/** The browser's tests and the suites open the service with its dashboard. */
function buildDashboard(): { passed: number; failed: number } {
  try {
    ensureDashboard(root, { say: (text) => void process.stdout.write(`${text}\n`) });
    return { passed: 1, failed: 0 };
  } catch (error) {
    process.stdout.write(`FAILED dashboard: ${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1 };
  }
}

/** What was left out, a line for each group of tests: a group that needs something says so in its name. */
function leftOut({ testResults }: Report): string[] {
  const counts = new Map<string, number>();
  for (const { status, ancestorTitles, title } of testResults.flatMap((group) => group.assertionResults)) {
    if (status === "passed" || status === "failed") continue;
    const name = ancestorTitles[0] ?? title;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `left out: ${name} (${count} ${count === 1 ? "test" : "tests"})`);
}

function runTests(): { passed: number; failed: number; skipped: readonly string[] } {
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile=${report}`, ...process.argv.slice(2)];
  const done = spawnSync(join(root, "node_modules/.bin/vitest"), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    const read = JSON.parse(readFileSync(report, "utf8")) as Report;
    const suites = read.numFailedTests === 0 && done.status !== 0 ? Math.max(1, read.numFailedTestSuites) : 0;
    return { passed: read.numPassedTests, failed: read.numFailedTests + suites, skipped: leftOut(read) };
  } catch {
    return { passed: 0, failed: 1, skipped: [] };
  }
}

const checks = runChecks();
const built = buildDashboard();
const tests = runTests();
rmSync(folder, { recursive: true, force: true });
const failed = checks.failed + built.failed + tests.failed;
for (const line of tests.skipped) process.stdout.write(`${line}\n`);
process.stdout.write(`${checks.passed + built.passed + tests.passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
