import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { SETTINGS } from "../../src/settings.ts";
import { COMPOSE, COMPOSE_FILES, filled, isOurs, readCompose, readComposeFile } from "./read-compose.ts";
import { REPOSITORY } from "./repository.ts";

/** Both are intended: an image that is built here has a name, and keys are in reading order. */
const QUIET = ["--quiet", "--disable-rule", "no-build-and-image"];

describe.each(COMPOSE_FILES)("deploy/compose/%s", (file) => {
  const compose = readCompose(file);
  const services = Object.entries(compose.services);

  test("conforms to the Compose specification and passes dclint", () => {
    const linted = spawnSync(join(REPOSITORY, "node_modules/.bin/dclint"), [join(COMPOSE, file), ...QUIET], {
      encoding: "utf8",
    });
    expect(linted.status, linted.stdout + linted.stderr).toBe(0);
  });

  test("mounts only files that exist, and declares every volume and secret", () => {
    for (const [, { volumes = [], secrets = [] }] of services) {
      for (const volume of volumes) {
        const [source = ""] = filled(volume).split(":");
        if (source.startsWith(".")) expect(existsSync(join(COMPOSE, source)), source).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
    }
  });

  test("lists every variable in env.example, required ones empty, and gives no password a default", () => {
    const example = new Map(
      readComposeFile("env.example")
        .split("\n")
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => [line.split("=")[0], line.split("=")[1]]),
    );
    const requested = [...readComposeFile(file).matchAll(/\$\{([A-Z0-9_]+):([?-])([^}]*)\}/g)];
    for (const [, name = "", sign, fallback] of requested) {
      if (sign === "?") expect(example.get(name), name).toBe("");
      else if (!name.endsWith("_VERSION")) expect([...example.keys()]).toContain(name);
      if (/PASSWORD|SECRET|KEY/.test(name)) expect([name, sign === "?" || fallback === ""]).toEqual([name, true]);
    }
  });

  test("gives the service's processes only settings that exist and that the service accepts", () => {
    for (const [name, { environment = {} }] of services.filter(([, service]) => isOurs(service))) {
      for (const setting of Object.keys(environment)) expect(Object.keys(SETTINGS), name).toContain(setting);
      const values = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filled(String(value))]),
      );
      expect(() => readConfig(values)).not.toThrow();
    }
  });

  test("trusts nginx as the only proxy, and pins every image to a version", () => {
    const nginx = compose.services["nginx"]?.networks?.inside?.ipv4_address;
    const believed = services
      .filter(([, service]) => isOurs(service))
      .map(([, { environment }]) => environment?.["TRUSTED_PROXIES"]);
    expect(new Set(believed)).toEqual(new Set([nginx]));
    for (const [, { image, build }] of services)
      if (build === undefined) expect(image).toMatch(/:\$\{[A-Z_]+:-[^}]*\d/);
  });
});

describe("deploy/compose/cluster.yaml and the files it mounts", () => {
  const names = Object.keys(readCompose("cluster.yaml").services);

  test("Prometheus, ClickHouse and nginx refer to the services by their names", () => {
    const prometheus = readFileSync(join(REPOSITORY, "deploy/prometheus/prometheus.yml"), "utf8");
    const clickhouse = readComposeFile("clickhouse/common.xml");
    const spoken = [
      ...[...prometheus.matchAll(/([a-z0-9-]+):(?:9464|9363)/g)].map(([, name]) => name),
      ...[...clickhouse.matchAll(/<host>([^<]+)<\/host>/g)].map(([, name]) => name),
      ...[...readComposeFile("nginx/api-servers.conf").matchAll(/^server ([^:]+):/gm)].map(([, name]) => name),
    ];
    expect(spoken.length).toBeGreaterThan(15);
    for (const name of spoken) expect(names).toContain(name);
    expect(
      names.filter((name) => /^(api|ingest|derive|clickhouse)-/.test(name)).every((name) => spoken.includes(name)),
    ).toBe(true);
  });

  test("the service connects to every ClickHouse node of the cluster definition", () => {
    const url = readCompose("cluster.yaml").services["api-1"]?.environment?.["CLICKHOUSE_URL"] ?? "";
    const requested = [...url.matchAll(/@([a-z0-9-]+):8123/g)].map(([, name]) => name);
    const defined = [...readComposeFile("clickhouse/common.xml").matchAll(/<replica><host>([^<]+)<\/host>/g)].map(
      ([, name]) => name,
    );
    expect(requested.toSorted()).toEqual(defined.toSorted());
  });
});
