import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { helmAbsence, renderChart, type Manifest } from "./helm.ts";

const absence = helmAbsence();
const FEWEST = "publicUrl=https://a.example,environmentSecret=almanac,cursorSecret.name=almanac-cursor";

type Container = {
  readonly args: readonly string[];
  readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
};
type Cron = {
  readonly schedule: string;
  readonly concurrencyPolicy: string;
  readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: CronPod } } };
};
type CronPod = {
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly persistentVolumeClaim?: object }[];
};

const cronOf = (...values: string[]): Cron | undefined =>
  renderChart("--set", FEWEST, ...values).find(({ kind }: Manifest) => kind === "CronJob")?.spec as Cron | undefined;
const podOf = (cron: Cron | undefined): CronPod | undefined => cron?.jobTemplate.spec.template.spec;

describe.skipIf(absence !== undefined)(`Helm chart values${absence ? ` (${absence})` : ""}`, () => {
  test("settings are rendered as written, including large numbers", () => {
    const settings = { QUERY_MEMORY_MB: 1_000_000, X_DAILY_USD: "1.50", LEASE_SECONDS: 15 };
    const manifests = renderChart("--set", FEWEST, "--set-json", `settings=${JSON.stringify(settings)}`);
    const data = manifests.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
    expect(data).toMatchObject({ QUERY_MEMORY_MB: "1000000", X_DAILY_USD: "1.50", LEASE_SECONDS: "15" });
    expect(readConfig(data).queryMemoryBytes).toBe(1_000_000_000_000);
  });

  test("there is no backup unless it is enabled", () => {
    expect(cronOf()).toBeUndefined();
  });

  test("a backup to a bucket gets its keys and limits, and no volume of its own", () => {
    const values = "backup.place=s3://backups/almanac,backup.s3Secret=s3-keys,backup.schedule=30 2 * * *";
    const cron = cronOf("--set", `backup.enabled=true,backup.keep=7,backup.rate=100000,${values}`);
    expect(cron).toMatchObject({ schedule: "30 2 * * *", concurrencyPolicy: "Forbid" });
    const [container] = podOf(cron)?.containers ?? [];
    const wishes = ["s3://backups/almanac", "--keep", "7", "--rate", "100000", "--json"];
    expect(container?.args).toEqual(["backup", "create", ...wishes]);
    const secrets = container?.envFrom.flatMap(({ secretRef }) => (secretRef ? [secretRef.name] : []));
    expect(secrets).toEqual(["almanac", "s3-keys"]);
    expect(podOf(cron)?.volumes.filter(({ persistentVolumeClaim }) => persistentVolumeClaim)).toEqual([]);
  });

  test("a backup to a folder mounts its volume there, and a limit of 0 is omitted", () => {
    const values = "backup.place=/backups/almanac,backup.persistentVolumeClaim=nas,backup.keep=0,backup.rate=0";
    const pod = podOf(cronOf("--set", `backup.enabled=true,${values}`));
    expect(pod?.containers[0]?.args).toEqual(["backup", "create", "/backups/almanac", "--json"]);
    expect(pod?.containers[0]?.volumeMounts).toContainEqual({ name: "backups", mountPath: "/backups" });
    expect(pod?.volumes).toContainEqual({ name: "backups", persistentVolumeClaim: { claimName: "nas" } });
  });
});
