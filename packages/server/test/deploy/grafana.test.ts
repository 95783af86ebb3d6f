import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everyMetric } from "../metrics/every-metric.ts";
import { strangersIn } from "./metrics-in.ts";
import { REPOSITORY } from "./repository.ts";

type Place = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: Place;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
};
type Board = {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
};

const board = JSON.parse(readFileSync(join(REPOSITORY, "deploy/grafana/almanac.json"), "utf8")) as Board;
const requested = board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
const isHere = spawnSync("promtool", ["--version"]).status === 0;

/** Fills in the variables that Grafana substitutes before Prometheus sees the expression. */
const filled = (expression: string): string =>
  expression.replaceAll("$__rate_interval", "1m").replaceAll(/\$(instance|stream)\b/g, ".*");

const overlap = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe("Grafana dashboard (never rendered here: Grafana is not installed)", () => {
  test("panels have unique ids, do not overlap, and have a title and a data source", () => {
    const { panels } = board;
    expect(board.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const [index, one] of panels.entries()) {
      expect(one.gridPos.x + one.gridPos.w).toBeLessThanOrEqual(24);
      const under = panels.slice(index + 1).filter((other) => overlap(one.gridPos, other.gridPos));
      expect(under.map(({ title }) => `${one.title} / ${title}`)).toEqual([]);
      if (one.type !== "row") expect([one.title !== "", one.datasource?.uid]).toEqual([true, "${datasource}"]);
    }
  });

  test.each(requested)("%s queries only metrics that exist: %s", (_title, expression) => {
    expect(strangersIn(filled(expression))).toEqual([]);
  });

  test("legends show only labels that the metrics have", () => {
    const labels = new Set(["instance", ...everyMetric().flatMap(({ labelNames }) => labelNames)]);
    for (const { targets = [] } of board.panels) {
      for (const { legendFormat } of targets) {
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels).toContain(label);
      }
    }
  });

  test("variables used in queries are declared and take their values from metrics that exist", () => {
    const names = board.templating.list.map(({ name }) => name);
    const used = requested.flatMap(([, expression]) =>
      [...expression.matchAll(/\$([a-z]\w*)/g)].map(([, name]) => name),
    );
    for (const name of used) expect(names).toContain(name);
    for (const { definition } of board.templating.list) expect(strangersIn(definition ?? "")).toEqual([]);
  });
});

describe.skipIf(!isHere)(`promtool on the dashboard${isHere ? "" : " (left out: promtool is not installed)"}`, () => {
  test("parses every expression", () => {
    const folder = mkdtempSync(join(tmpdir(), "almanac-board-"));
    try {
      const rules = requested.map(([, expression], index) => ({
        record: `board:panel:${index}`,
        expr: filled(expression),
      }));
      writeFileSync(join(folder, "board.yml"), JSON.stringify({ groups: [{ name: "board", rules }] }));
      const checked = spawnSync("promtool", ["check", "rules", join(folder, "board.yml")], { encoding: "utf8" });
      expect(checked.status, checked.stdout + checked.stderr).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
