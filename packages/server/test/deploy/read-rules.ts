import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { REPOSITORY } from "./repository.ts";

export type Rule = {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

export type Alert = Rule & { readonly alert: string };

export const PROMETHEUS = join(REPOSITORY, "deploy/prometheus");

/** Every rule of deploy/prometheus, in file order. */
export function readRules(): readonly Rule[] {
  const folder = join(PROMETHEUS, "rules");
  return readdirSync(folder).flatMap((file) => {
    const { groups } = parse(readFileSync(join(folder, file), "utf8")) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(({ rules }) => rules);
  });
}

export function readAlerts(): readonly Alert[] {
  return readRules().filter((rule): rule is Alert => rule.alert !== undefined);
}
