import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { helmAbsence, lintChart, renderChart, type Manifest } from "./helm.ts";
import { readAlerts } from "./read-rules.ts";
import { REPOSITORY } from "./repository.ts";

const absence = helmAbsence();
const FEWEST = "publicUrl=https://a.example,environmentSecret=almanac,cursorSecret.name=almanac-cursor";
const MOST = [
  [
    "--set",
    `${FEWEST},clickhouseCluster=almanac,settings.LEASE_SECONDS=9,trustedProxies={10.0.0.0/8,10.1.2.3,fd00::/8,::ffff:10.1.2.3}`,
  ],
  ["--set", "ingress.enabled=true,ingress.host=a.example,ingress.tlsSecret=tls,ingress.className=nginx"],
  ["--set", "serviceMonitor.enabled=true,serviceMonitor.labels.release=prometheus,grafanaDashboard.enabled=true"],
  ["--set", "prometheusRule.enabled=true,prometheusRule.clickhouse=true,prometheusRule.runbookBase=https://b.example/"],
  ["--set", "serviceMonitor.interval=1m30s,api.podDisruptionBudget.maxUnavailable=25%"],
  ["--set", "imagePullSecrets[0].name=pull,api.nodeSelector.disk=fast"],
  ["--set", "backup.enabled=true,backup.place=s3://backups/almanac,backup.s3Secret=s3,backup.nodeSelector.disk=fast"],
  ["--set-json", 'ingest.tolerations=[{"key":"a","operator":"Exists"}]'],
  ["--set-json", 'networkPolicy.apiFrom=[{"podSelector":{"matchLabels":{"app":"nginx"}}}]'],
].flat();

type Pod = {
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
    readonly livenessProbe?: { readonly httpGet: { readonly path: string } };
  }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds?: number;
};

type Work = { readonly template: { readonly spec: Pod } };

function podOf({ spec }: Manifest): Pod {
  const work = spec as Work | { readonly jobTemplate: { readonly spec: Work } };
  return ("jobTemplate" in work ? work.jobTemplate.spec : work).template.spec;
}

const called = (manifest: Manifest): string => `${manifest.kind} ${manifest.metadata.name}`;

describe.skipIf(absence !== undefined)(`Helm chart, rendered by helm${absence ? ` (${absence})` : ""}`, () => {
  let fewest: readonly Manifest[] = [];
  let most: readonly Manifest[] = [];
  beforeAll(() => {
    fewest = renderChart("--set", FEWEST);
    most = renderChart(...MOST);
  });

  test("passes helm lint --strict", () => {
    const linted = lintChart("--set", FEWEST);
    expect(linted.status, linted.stdout + linted.stderr).toBe(0);
  });

  test("renders what a service of three roles needs, and the rest only if enabled", () => {
    expect(fewest.map(called).toSorted()).toEqual([
      "ConfigMap test-almanac",
      "Deployment test-almanac-api",
      "Deployment test-almanac-derive",
      "Deployment test-almanac-ingest",
      "HorizontalPodAutoscaler test-almanac-api",
      "Job test-almanac-migrate",
      "NetworkPolicy test-almanac",
      "NetworkPolicy test-almanac-api",
      "PodDisruptionBudget test-almanac-api",
      "Service test-almanac",
      "Service test-almanac-metrics",
      "ServiceAccount test-almanac",
    ]);
    const more = most.map(called).filter((name) => !fewest.map(called).includes(name));
    expect(more.toSorted()).toEqual([
      "ConfigMap test-almanac-board",
      "CronJob test-almanac-backup",
      "Ingress test-almanac",
      "PrometheusRule test-almanac",
      "ServiceMonitor test-almanac",
    ]);
  });

  test("every manifest matches the types of Kubernetes and the Prometheus operator, with no unknown field", () => {
    // The last manifest has an unknown field, which must be found.
    const errors = typeErrors([...most, { ...most[0], spek: {} } as unknown as Manifest]);
    expect(errors).toEqual([expect.stringMatching(/"spek"' does not exist/)]);
  });

  test.each([
    ["publicUrl", FEWEST.replace("https://a.example", "a.example")],
    ["environmentSecret", FEWEST.replace("environmentSecret=almanac", "environmentSecret=")],
    ["replicaz", `${FEWEST},api.replicaz=3`],
    ["ingress.host", `${FEWEST},ingress.enabled=true`],
    ["LEASE_SECOND'", `${FEWEST},settings.LEASE_SECOND=9`],
    ["X_BEARER_TOKEN", `${FEWEST},settings.X_BEARER_TOKEN=abc`],
    ["backup/place", `${FEWEST},backup.enabled=true`],
    ["backup/place", `${FEWEST},backup.enabled=true,backup.place=/data/backups`],
    ["trustedProxies/0", `${FEWEST},trustedProxies={nonsense}`],
    ["trustedProxies/0", `${FEWEST},trustedProxies={10.0.0.0/0}`],
    ["serviceMonitor/interval", `${FEWEST},serviceMonitor.interval=abc`],
    ["podDisruptionBudget/maxUnavailable", `${FEWEST},api.podDisruptionBudget.maxUnavailable=some`],
    ["api.autoscaling.minReplicas", `${FEWEST},api.autoscaling.minReplicas=9`],
    ["backup.persistentVolumeClaim", `${FEWEST},backup.enabled=true,backup.place=/backups`],
  ])("rejects invalid values and names the culprit: %s", (name, values) => {
    expect(() => renderChart("--set", values)).toThrow(name);
  });

  test("its ConfigMap contains only settings that the service accepts", () => {
    for (const manifests of [fewest, most]) {
      const settings = manifests.find((one) => called(one) === "ConfigMap test-almanac")?.data ?? {};
      const cluster = settings["CLICKHOUSE_CLUSTER"] === undefined ? "" : ",http://u:p@b:8123/almanac";
      const config = readConfig({ ...settings, CLICKHOUSE_URL: `http://u:p@a:8123/almanac${cluster}` });
      expect(config.warnings).toEqual([]);
      expect(config.secretFile).toBe("/run/secrets/almanac/cursor");
    }
  });

  test("pods run unprivileged with a read-only root file system, and have readiness and liveness probes", () => {
    const deployments = most.filter(({ kind }) => kind === "Deployment");
    for (const manifest of [...deployments, ...most.filter(({ kind }) => kind.endsWith("Job"))]) {
      const { containers, securityContext } = podOf(manifest);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      for (const container of containers) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
      }
    }
    for (const { containers, terminationGracePeriodSeconds } of deployments.map(podOf)) {
      expect(containers[0]?.readinessProbe?.httpGet.path).toBe("/ready");
      expect(containers[0]?.livenessProbe?.httpGet.path).toBe("/health");
      expect(terminationGracePeriodSeconds).toBeGreaterThan(30);
    }
    expect(most.filter(({ kind }) => kind === "Job").map((job) => podOf(job).containers[0]?.args)).toEqual([
      ["migrate"],
    ]);
  });

  test("its alert rules are those of deploy/prometheus, with the runbook's base URL before the pages", () => {
    const rule = most.find(({ kind }) => kind === "PrometheusRule")?.spec as {
      groups: { rules: { alert?: string; annotations?: { runbook_url: string } }[] }[];
    };
    const alerts = rule.groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);
    const expected = readAlerts().map((one) => [one.alert, `https://b.example/${one.annotations?.["runbook_url"]}`]);
    expect(alerts.map(({ alert, annotations }) => [alert, annotations?.runbook_url])).toEqual(expected);
  });

  test("its dashboard is the one of deploy/grafana", () => {
    const board = most.find((one) => called(one) === "ConfigMap test-almanac-board")?.data?.["almanac.json"] ?? "";
    expect(JSON.parse(board)).toEqual(
      JSON.parse(readFileSync(join(REPOSITORY, "deploy/grafana/almanac.json"), "utf8")),
    );
  });
});

/**
 * Compiles the manifests as values of Kubernetes' own types and returns one error per line, also for unknown fields.
 */
function typeErrors(manifests: readonly Manifest[]): readonly string[] {
  const cache = join(REPOSITORY, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "almanac-manifests-"));
  try {
    const lines = manifests.map(({ apiVersion, kind, ...rest }, index) => {
      const library = apiVersion.startsWith("monitoring.")
        ? "@kubernetes-models/prometheus-operator"
        : "kubernetes-models";
      const type = `import("${library}/${apiVersion}").I${kind}`;
      return `export const value${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
    });
    writeFileSync(join(folder, "manifests.ts"), lines.join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    const tsc = join(REPOSITORY, "node_modules/.bin/tsc");
    const done = spawnSync(tsc, [...options, "--ignoreConfig", "--types", "", "manifests.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    return `${done.stdout}${done.stderr}`.split("\n").filter((line) => line.includes("error"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
