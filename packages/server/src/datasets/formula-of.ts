import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Formula } from "../definition/dataset.ts";
import { FORMULA_VALUES } from "./formula-values.ts";

/**
 * The formulas in <name>.md in this folder, one per heading: a line "Gives" with the fields that it defines, then a
 * list. `{NAME}` is replaced by a constant of the code; an item that links to shared.md is replaced by the section of
 * that title.
 */
export const formulaOf = (name: string): readonly Formula[] => sectionsOf(name, withShared);

function sectionsOf(name: string, saidBy: (item: string) => readonly string[]): readonly Formula[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.md`), "utf8").replaceAll(/\{(\w+)\}/g, valueOf);
  const [, ...sections] = `\n${text}`.split("\n## ");
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n").filter((line) => line !== "");
    const [gives = "", ...rest] = lines;
    const isGiving = gives.startsWith("Gives ");
    return {
      title,
      fields: isGiving ? [...gives.matchAll(/`(\w+)`/g)].map(([, field = ""]) => field) : [],
      says: (isGiving ? rest : lines).flatMap((line) => saidBy(itemOf(line, name))),
    };
  });
}

function valueOf(_: string, name: string): string {
  const value = FORMULA_VALUES[name];
  if (value === undefined) throw new TypeError(`{${name}} is not among the values of formulas`);
  return String(value);
}

function itemOf(line: string, name: string): string {
  if (!line.startsWith("- ")) throw new TypeError(`${name}.md: neither a heading nor an item: ${line}`);
  return line.slice(2);
}

const shared = new Map(sectionsOf("shared", (item) => [item]).map(({ title, says }) => [title, says]));

function withShared(item: string): readonly string[] {
  const title = /^\[(.+)\]\(shared\.md\)$/.exec(item)?.[1];
  if (title === undefined) return [item];
  const says = shared.get(title);
  if (says === undefined) throw new TypeError(`shared.md has no section ${title}`);
  return says;
}
