import { defineConfig, type ViteUserConfig } from "vitest/config";
import { FileOrder } from "./scripts/vitest/file-order.ts";
import { testSeed } from "./scripts/vitest/seed.ts";
import { temporaryFolder } from "./scripts/vitest/keep-temporary-folder.ts";
import { SLOW_FILES, THOROUGH_FILES } from "./scripts/vitest/test-levels.ts";

const folder = temporaryFolder();

const SHARED = {
  pool: "forks",
  // Node reads our TypeScript itself, and keeps what it compiled between runs.
  experimental: { viteModuleRunner: false },
  env: { TEST_SEED: String(testSeed()), ...(folder === undefined ? {} : { TMPDIR: folder }) },
  globalSetup: ["scripts/vitest/keep-temporary-folder.ts"],
  setupFiles: ["scripts/vitest/seed-properties.ts", "scripts/vitest/count-external-memory.ts"],
  // Bounds of what hangs, not of what is slow: a busy machine may give a test a twentieth of a core.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
} satisfies ViteUserConfig["test"];

/** What changes its process: variables of the environment, standard output. */
const ALONE = ["packages/server/test/cli/**/*.test.ts", "packages/server/test/social/retention/forget-command.test.ts"];
const LEVEL = process.env["TEST_LEVEL"];
const LEFT_OUT = [...(LEVEL === "quick" ? SLOW_FILES : []), ...(LEVEL === "thorough" ? [] : THOROUGH_FILES)].map(
  (file) => `**/${file}`,
);

export default defineConfig({
  test: {
    maxWorkers: Number(process.env["TEST_WORKERS"] ?? 2),
    reporters: process.env["CI"] ? ["dot"] : ["default"],
    globalSetup: ["scripts/vitest/print-seed.ts"],
    sequence: { sequencer: FileOrder },
    projects: [
      {
        test: {
          ...SHARED,
          name: "shared",
          // One process for file after file: loading the modules anew took a third of the whole run.
          isolate: false,
          include: ["packages/*/test/**/*.test.{ts,tsx}", "scripts/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...ALONE, ...LEFT_OUT],
        },
      },
      { test: { ...SHARED, name: "alone", include: ALONE, exclude: LEFT_OUT } },
    ],
  },
});
