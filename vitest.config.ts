import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { temporaryFolder } from "./scripts/vitest/temporary-folder.ts";

/** What takes longest, longest first: begun last, one of them would run on alone with the other core idle. */
const LONG_FILES = [
  "dashboard/test/browser/browser.test.ts",
  "server/test/faults/campaign.test.ts",
  "server/test/world/world.test.ts",
  "server/test/recorded/streams.test.ts",
  "server/test/world/wallet-figures.test.ts",
  "server/test/world/pnl.test.ts",
  "server/test/suites/dataset.test.ts",
  "server/test/move/beside-gathering.test.ts",
  "server/test/leases/sharing.test.ts",
  "server/test/move/killed.test.ts",
  "server/test/scale/faults/faults-under-load.test.ts",
  "server/test/records/sharing.test.ts",
  "server/test/promises/promises.test.ts",
  "server/test/fuzz/fuzz.test.ts",
];

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG_FILES.findIndex((file) => moduleId.endsWith(file));
  return place === -1 ? LONG_FILES.length : place;
}

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

const folder = temporaryFolder();

const SHARED = {
  pool: "forks",
  env: folder === undefined ? {} : { TMPDIR: folder },
  globalSetup: "scripts/vitest/keep-temporary-folder.ts",
  // Bounds of what hangs, not of what is slow: a busy machine may give a test a twentieth of a core.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 15_000 } },
} satisfies ViteUserConfig["test"];

/** What changes its process: variables of the environment, standard output. */
const ALONE = ["packages/server/test/cli/**/*.test.ts", "packages/server/test/social/retention/forget-command.test.ts"];

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: process.env["CI"] ? ["dot"] : ["default"],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: "shared",
          // One process for file after file: loading the modules anew took a third of the whole run.
          isolate: false,
          include: ["packages/*/test/**/*.test.{ts,tsx}", "scripts/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...ALONE],
        },
      },
      { test: { ...SHARED, name: "alone", include: ALONE } },
    ],
  },
});
