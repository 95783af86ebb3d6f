import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";
import { SETTINGS } from "../../src/settings.ts";
import { REPOSITORY } from "./repository.ts";

type Service = {
  readonly image: string;
  readonly build?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly command?: readonly string[];
  readonly networks: { readonly inside?: { readonly ipv4_address?: string } };
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

const FOLDER = join(REPOSITORY, "deploy/compose");
const FILES = ["one-machine.yaml", "cluster.yaml"] as const;
/** Both are meant: an image that is built here has a name, and keys stand in the order in which one reads. */
const QUIET = ["--quiet", "--disable-rule", "no-build-and-image"];

const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
const parsed = (file: string): Compose => parse(read(file), { merge: true }) as Compose;
const isOurs = ({ build }: Service): boolean => build !== undefined;

/** What Compose puts in for `${NAME:?…}` and `${NAME:-default}`, every required value being a harmless one. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{[A-Z_]+:([?-])([^}]*)\}/g, (_all, sign, rest) => (sign === "?" ? "abc" : rest));

describe.each(FILES)("deploy/compose/%s", (file) => {
  const compose = parsed(file);
  const services = Object.entries(compose.services);

  test("is what the Compose specification allows, and passes dclint", () => {
    const linted = spawnSync(join(REPOSITORY, "node_modules/.bin/dclint"), [join(FOLDER, file), ...QUIET], {
      encoding: "utf8",
    });
    expect(linted.status, linted.stdout + linted.stderr).toBe(0);
  });

  test("every file that is mounted is there, and every volume and secret is declared", () => {
    for (const [, { volumes = [], secrets = [] }] of services) {
      for (const volume of volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith(".")) expect(existsSync(join(FOLDER, source)), source).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
    }
  });

  test("what must be given is in env.example, empty, and no password has a default", () => {
    const example = new Map(
      read("env.example")
        .split("\n")
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => [line.split("=")[0], line.split("=")[1]]),
    );
    const asked = [...read(file).matchAll(/\$\{([A-Z_]+):([?-])([^}]*)\}/g)];
    for (const [, name = "", sign, fallback] of asked) {
      if (sign === "?") expect(example.get(name), name).toBe("");
      if (/PASSWORD|SECRET|KEY/.test(name)) expect([name, sign === "?" || fallback === ""]).toEqual([name, true]);
    }
  });

  test("processes of ours have settings that exist and that the service takes", () => {
    for (const [name, { environment = {} }] of services.filter(([, service]) => isOurs(service))) {
      for (const setting of Object.keys(environment)) expect(Object.keys(SETTINGS), name).toContain(setting);
      const values = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filled(String(value))]),
      );
      expect(() => readConfig(values)).not.toThrow();
    }
  });

  test("the proxy that is believed is nginx, and no image is 'latest'", () => {
    const nginx = compose.services["nginx"]?.networks.inside?.ipv4_address;
    const believed = services
      .filter(([, service]) => isOurs(service))
      .map(([, { environment }]) => environment?.["TRUSTED_PROXIES"]);
    expect(new Set(believed)).toEqual(new Set([nginx]));
    for (const [, { image, build }] of services)
      if (build === undefined) expect(image).toMatch(/:\$\{[A-Z_]+:-[^}]*\d/);
  });
});

describe("deploy/compose/cluster.yaml and what it mounts", () => {
  const names = Object.keys(parsed("cluster.yaml").services);

  test("Prometheus, ClickHouse and nginx know the services by their names", () => {
    const prometheus = readFileSync(join(REPOSITORY, "deploy/prometheus/prometheus.yml"), "utf8");
    const clickhouse = read("clickhouse/common.xml");
    const spoken = [
      ...[...prometheus.matchAll(/([a-z0-9-]+):(?:9464|9363)/g)].map(([, name]) => name),
      ...[...clickhouse.matchAll(/<host>([^<]+)<\/host>/g)].map(([, name]) => name),
      ...[...read("nginx/api-servers.conf").matchAll(/^server ([^:]+):/gm)].map(([, name]) => name),
    ];
    expect(spoken.length).toBeGreaterThan(15);
    for (const name of spoken) expect(names).toContain(name);
    expect(
      names.filter((name) => /^(api|ingest|derive|clickhouse)-/.test(name)).every((name) => spoken.includes(name)),
    ).toBe(true);
  });

  test("the service asks every ClickHouse node of the cluster's definition", () => {
    const url = parsed("cluster.yaml").services["api-1"]?.environment?.["CLICKHOUSE_URL"] ?? "";
    const asked = [...url.matchAll(/@([a-z0-9-]+):8123/g)].map(([, name]) => name);
    const defined = [...read("clickhouse/common.xml").matchAll(/<replica><host>([^<]+)<\/host>/g)].map(
      ([, name]) => name,
    );
    expect(asked.toSorted()).toEqual(defined.toSorted());
  });
});
