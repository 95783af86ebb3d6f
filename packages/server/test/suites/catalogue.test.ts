import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as catalogue from "../../src/catalogue.ts";

const SOURCE = new URL("../../src/", import.meta.url);

type Value = Readonly<Record<string, unknown>>;
const isOfKind =
  (...kinds: readonly string[]) =>
  ({ kind }: Value): boolean =>
    kinds.includes(kind as string);

const LISTS = [
  ["connectors", catalogue.connectors, isOfKind("pull", "socket")],
  ["tables", catalogue.tables, isOfKind("table")],
  ["datasets", catalogue.datasets, ({ agentId }: Value) => typeof agentId === "number"],
  ["derivations", catalogue.derivations, ({ bucketSeconds }: Value) => typeof bucketSeconds === "number"],
  ["derivations", catalogue.dayDerivations, isOfKind("day")],
  ["derivations", catalogue.folds, isOfKind("fold")],
  ["derivations", catalogue.refreshes, isOfKind("refresh")],
] as const;

/** Every object exported by a file of the folder, except its index. */
async function exportedBy(folder: string): Promise<Set<Value>> {
  const files = globSync("**/*.ts", { cwd: new URL(folder, SOURCE) }).filter((file) => file !== "index.ts");
  const modules = await Promise.all(
    files.map((file) => import(new URL(`${folder}/${file}`, SOURCE).href) as Promise<Value>),
  );
  const values = modules.flatMap((module) => Object.values(module));
  return new Set(values.filter((value): value is Value => typeof value === "object" && value !== null));
}

describe("the catalogue", () => {
  it.each(LISTS)("lists exactly what %s/ exports, each once", async (folder, listed, isOne) => {
    const exported = [...(await exportedBy(folder))].filter(isOne);
    expect(exported.length).toBeGreaterThan(0);
    expect(listed.length).toBe(exported.length);
    expect(new Set<unknown>(listed)).toEqual(new Set<unknown>(exported));
  });
});
