import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { SLOW_FILES } from "../vitest/test-levels.ts";
import { TESTS } from "./mutation.ts";

/** `quick` is what `npm run test:quick` runs, `full` what `npm test` runs in addition. */
export type Level = "quick" | "full";

export type Run = {
  readonly seconds: number;
  /** Files below packages/server/test with a failed test, in the order in which they finished. */
  readonly failed: readonly Failure[];
  readonly passed: number;
};

export type Failure = { readonly file: string; readonly test: string };

type Report = {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/** A mutation can make a test hang; a timeout counts as caught. */
const MAX_SECONDS = 240;
const HUNG = "(hung)";

export const levelOf = (file: string): Level =>
  SLOW_FILES.some((slow) => matchesGlob(`${TESTS}/${file}`, `**/${slow}`)) ? "full" : "quick";

/** Runs test files of one level in a checkout, in one process of Vitest; with `bail` until the first failing test. */
export async function runTests(root: string, level: Level, files: readonly string[], bail: boolean): Promise<Run> {
  const report = join(root, "mutate-report.json");
  rmSync(report, { force: true });
  const began = performance.now();
  const isOver = await runVitest(root, level, [
    ...files.map((file) => `${TESTS}/${file}`),
    "--reporter=json",
    `--outputFile=${report}`,
    ...(bail ? ["--bail=1"] : []),
  ]);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (!isOver) return { seconds, failed: [{ file: files.join(", "), test: HUNG }], passed: 0 };
  if (!existsSync(report)) throw new Error(`Vitest ended without a report on ${files.join(", ")}`);
  const { testResults, numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const failed = testResults
    .filter(({ status }) => status === "failed")
    .toSorted((a, b) => a.endTime - b.endTime)
    .map(({ name, assertionResults }) => ({
      file: relative(join(root, TESTS), name),
      test: assertionResults.find(({ status }) => status === "failed")?.fullName ?? "(the file)",
    }));
  if (failed.length === 0 && numPassedTests === 0) throw new Error(`no test was run of ${files.join(", ")}`);
  return { seconds, failed, passed: numPassedTests };
}

/** Resolves to whether it ended by itself. */
function runVitest(root: string, level: Level, args: readonly string[]): Promise<boolean> {
  const child = spawn(join(root, "node_modules/.bin/vitest"), ["run", ...args], {
    cwd: root,
    stdio: "ignore",
    detached: true,
    env: { ...process.env, TEST_LEVEL: level === "quick" ? "quick" : "ordinary" },
  });
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  process.once("exit", end);
  return new Promise((resolve, reject) => {
    let isOver = true;
    const timer = setTimeout(() => {
      isOver = false;
      end();
    }, MAX_SECONDS * 1000);
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(timer);
      process.removeListener("exit", end);
      resolve(isOver);
    });
  });
}
