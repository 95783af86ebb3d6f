import { describe, expect, it } from "vitest";
import { datasets, tables } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";

/** Datasets computed by this service; every other dataset returns data of a venue, a source or the chain. */
const DERIVED = new Set([569, 575, 579, 581, 584, 585, 586, 596, 1001, 1002, 1003, 1004, 1005, 1006, 1007]);

const derived = datasets.filter(({ agentId }) => DERIVED.has(agentId));
const withFormula = datasets.filter(({ formula }) => formula !== undefined);
const named = (all: readonly DatasetDefinition[]) => all.map((dataset) => [dataset.name, dataset] as const);

const FIGURE = /^(num|dec\(\d+\)|flag)$/;

describe.each(named(derived))("%s", (_name, { formula = [], row }) => {
  it("explains how each of its figures is computed", () => {
    const explained = new Set(formula.flatMap(({ fields, says }) => [...fields, ...namesIn(says)]));
    const figures = Object.entries(row).filter(([, { wire }]) => FIGURE.test(wire));
    expect(figures.map(([name]) => name).filter((name) => !explained.has(name))).toEqual([]);
    expect(formula.length).toBeGreaterThan(0);
  });
});

describe.each(named(withFormula))("the formulas of %s", (_name, { formula = [], row, params }) => {
  it("mention only existing fields and parameters", () => {
    for (const { title, fields, says } of formula) {
      expect(title).not.toBe("");
      expect(says.length, title).toBeGreaterThan(0);
      for (const field of fields) expect(Object.keys(row), title).toContain(field);
      for (const name of namesIn(says)) expect([...Object.keys(row), ...Object.keys(params)], title).toContain(name);
    }
  });
});

describe("definitions", () => {
  it("name existing related datasets other than themselves", () => {
    const ids = new Set(datasets.map(({ agentId }) => agentId));
    for (const { name, agentId, related } of datasets) {
      expect(related?.length, name).toBeGreaterThan(0);
      for (const one of related ?? []) expect(ids.has(one) && one !== agentId, `${name}: ${one}`).toBe(true);
    }
  });

  it("include a formula for every dataset over computed tables", () => {
    const worked = new Set(tables.filter(({ name }) => /^(wallet|market|price|calibration)_/.test(name)));
    const without = datasets.filter(
      (one) => one.formula === undefined && one.tables.some((table) => worked.has(table)),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

function namesIn(says: readonly string[]): string[] {
  return says.flatMap((line) => [...line.matchAll(/`([^`]*)`/g)].map(([, name]) => name ?? ""));
}
