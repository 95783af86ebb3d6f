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

type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number; numFailedTestSuites: number };

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

function runTests(): { passed: number; failed: number; skipped: number } {
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile=${report}`, ...process.argv.slice(2)];
  const done = spawnSync(join(root, "node_modules/.bin/vitest"), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    const read = JSON.parse(readFileSync(report, "utf8")) as Report;
    const suites = read.numFailedTests === 0 && done.status !== 0 ? Math.max(1, read.numFailedTestSuites) : 0;
    return { passed: read.numPassedTests, failed: read.numFailedTests + suites, skipped: read.numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const checks = runChecks();
const built = buildDashboard();
const tests = runTests();
rmSync(folder, { recursive: true, force: true });
const failed = checks.failed + built.failed + tests.failed;
if (tests.skipped > 0) process.stdout.write(`${tests.skipped} tests were skipped; each gives its reason above\n`);
process.stdout.write(`${checks.passed + built.passed + tests.passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
