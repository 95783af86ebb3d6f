import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { REPOSITORY } from "./repository.ts";

/** Where .ci/run installs it, from a package of the npm registry. */
const FETCHED = join(REPOSITORY, ".tools/helm/helm");
const CHART = join(REPOSITORY, "deploy/helm/almanac");
const HELM = existsSync(FETCHED) ? FETCHED : "helm";

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
};

/** Why helm tests are skipped on this machine; undefined if they are not. */
export function helmAbsence(): string | undefined {
  return runHelm("version").status === 0 ? undefined : "left out: helm is not installed";
}

export function runHelm(...args: string[]) {
  // Ignores the machine's own settings and keeps nothing.
  const home = join(tmpdir(), "almanac-helm-home");
  const env = { PATH: process.env["PATH"], HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  return spawnSync(HELM, args, { encoding: "utf8", env });
}

export const lintChart = (...values: string[]) => runHelm("lint", "--strict", CHART, ...values);

/** Returns the output of `helm template` for the chart. Throws with helm's message if it refuses. */
export function renderChart(...values: string[]): readonly Manifest[] {
  const rendered = runHelm("template", "test", CHART, "--namespace", "almanac", ...values);
  if (rendered.status !== 0) throw new Error(rendered.stderr);
  return parseAllDocuments(rendered.stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest): manifest is Manifest => manifest !== null);
}
