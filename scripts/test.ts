// Runs every check and the tests of a level; ends with one line of counts.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDashboard } from "./dashboard/ensure-dashboard.ts";
import { testSeed } from "./vitest/seed.ts";

const HELP = `npm test                all checks, and all tests at their usual length
npm run test:quick      all checks, and the tests that need no worlds, browser or child services
npm run test:thorough   all checks, and all tests at full length
A file name after -- runs only matching test files. Variables: TEST_SEED repeats a run, TEST_ORDER=shuffle changes the
order of files, TEST_WORKERS sets how many run at once, TMPDIR=/tmp keeps data off /dev/shm.`;

const LEVELS: readonly string[] = ["quick", "ordinary", "thorough"];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "almanac-test-"));
const report = join(folder, "vitest.json");

type Counts = { readonly passed: number; readonly failed: number };
type Group = { assertionResults: { status: string; ancestorTitles: string[]; title: string }[] };
type Report = {
  testResults: Group[];
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs alongside the tests, which mostly wait; printed when they are done. */
async function runChecks(): Promise<Counts & { readonly said: string }> {
  const child = spawn(process.execPath, [join(root, "scripts/check.ts")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  await new Promise((resolve) => child.once("close", resolve));
  const found = /checks: (\d+) passed, (\d+) failed/.exec(said);
  return found ? { said, passed: Number(found[1]), failed: Number(found[2]) } : { said, passed: 0, failed: 1 };
}

/** The browser tests and the suites serve the dashboard. */
function buildDashboard(): Counts {
  try {
    ensureDashboard(root, { say });
    return { passed: 1, failed: 0 };
  } catch (error) {
    say(`FAILED dashboard: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1 };
  }
}

/** Skipped tests, a line for each group: a group that needs something names it in its title. */
function leftOut({ testResults }: Report): string[] {
  const counts = new Map<string, number>();
  for (const { status, ancestorTitles, title } of testResults.flatMap((group) => group.assertionResults)) {
    if (status === "passed" || status === "failed") continue;
    const name = ancestorTitles[0] ?? title;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `left out: ${name} (${count} ${count === 1 ? "test" : "tests"})`);
}

async function runTests(level: string, wanted: readonly string[]): Promise<Counts & { skipped: readonly string[] }> {
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile=${report}`, ...wanted];
  const env = { ...process.env, TEST_LEVEL: level, TEST_SEED: String(testSeed()) };
  const child = spawn(join(root, "node_modules/.bin/vitest"), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env,
  });
  const status = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", resolve);
  });
  try {
    const read = JSON.parse(readFileSync(report, "utf8")) as Report;
    const suites = read.numFailedTests === 0 && status !== 0 ? Math.max(1, read.numFailedTestSuites) : 0;
    return { passed: read.numPassedTests, failed: read.numFailedTests + suites, skipped: leftOut(read) };
  } catch {
    return { passed: 0, failed: 1, skipped: [] };
  }
}

async function main(given: readonly string[]): Promise<number> {
  if (given.includes("--help")) {
    say(HELP);
    return 0;
  }
  const requested = given.find((one) => one.startsWith("--level="))?.slice("--level=".length) ?? "ordinary";
  if (!LEVELS.includes(requested)) throw new Error(`--level is ${requested}: expected ${LEVELS.join(", ")}`);
  const built = buildDashboard();
  const wanted = given.filter((one) => !one.startsWith("--level="));
  const [checks, tests] = await Promise.all([runChecks(), runTests(requested, wanted)]);
  process.stdout.write(checks.said);
  for (const line of tests.skipped) say(line);
  const failed = checks.failed + built.failed + tests.failed;
  say(`${checks.passed + built.passed + tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
