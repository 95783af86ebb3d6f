import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Mutation } from "./mutation.ts";
import { plant } from "./plant.ts";

/** Whether a checkout compiles with all of these applied at once: a mistake that does not compile could never ship. */
export function checkTypes(root: string, mutations: readonly Mutation[]): boolean {
  for (const mutation of mutations) plant(root, mutation);
  const args = ["--noEmit", "-p", "tsconfig.json"];
  return spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: root, stdio: "inherit" }).status === 0;
}
