import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { strangersIn } from "./metrics-in.ts";
import { PROMETHEUS, readAlerts, readRules } from "./read-rules.ts";
import { REPOSITORY } from "./repository.ts";

const isHere = spawnSync("promtool", ["--version"]).status === 0;
const absence = isHere ? "" : " (left out: promtool is not installed)";

const TESTS = readdirSync(join(PROMETHEUS, "tests")).map((file) => `tests/${file}`);

type AlertTest = {
  readonly name: string;
  readonly promql_expr_test: readonly { readonly exp_samples?: readonly unknown[] }[];
};

const readTests = (file: string): readonly AlertTest[] =>
  (parse(readFileSync(join(PROMETHEUS, file), "utf8")) as { tests: readonly AlertTest[] }).tests;

const promtool = (...args: string[]) => spawnSync("promtool", args, { encoding: "utf8", cwd: PROMETHEUS });

describe("Prometheus rules", () => {
  test.each(readRules().map((rule) => [rule.alert ?? rule.record ?? "", rule.expr]))(
    "%s queries only metrics that exist",
    (_name, expression) => {
      expect(strangersIn(expression)).toEqual([]);
    },
  );

  test("detects a metric that nothing exports", () => {
    expect(strangersIn("rate(almanac_http_request_total[5m]) / up")).toEqual(["almanac_http_request_total"]);
  });

  test.each(readAlerts().map((alert) => [`${alert.alert} ${alert.labels?.["severity"]}`, alert] as const))(
    "%s states its severity, its description and its runbook page",
    (_name, { labels, annotations }) => {
      expect(["critical", "warning"]).toContain(labels?.["severity"]);
      expect(annotations?.["summary"]).toMatch(/\S/);
      expect(annotations?.["description"]).toMatch(/\.$/);
      expect(readFileSync(join(REPOSITORY, annotations?.["runbook_url"] ?? ""), "utf8")).toMatch(/^# /);
    },
  );

  test("every alert is tested both firing and not firing", () => {
    const tried = TESTS.flatMap((file) => readTests(file))
      .filter(
        ({ promql_expr_test: requested }) => new Set(requested.map((one) => one.exp_samples?.length ?? 0)).size === 2,
      )
      .map(({ name }) => name.split(" ")[0] ?? "");
    expect(new Set(tried)).toEqual(new Set(readAlerts().map(({ alert }) => alert)));
  });
});

describe.skipIf(!isHere)(`promtool${absence}`, () => {
  test("accepts the rules and the configuration", () => {
    const rules = readdirSync(join(PROMETHEUS, "rules")).map((file) => `rules/${file}`);
    const checked = promtool("check", "rules", ...rules);
    expect(checked.status, checked.stderr).toBe(0);
    const config = promtool("check", "config", "--syntax-only", "prometheus.yml");
    expect(config.status, config.stderr).toBe(0);
  });

  test("every alert fires when it should, and not before", () => {
    const tested = promtool("test", "rules", ...TESTS);
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
  });
});
