import { examplesOf } from "./example-values.ts";
import type { Column } from "./column.ts";
import type { DatasetDefinition, Example, Formula } from "./dataset.ts";
import { isAlwaysRequired, type Param } from "./param.ts";

/** A parameter, described for forms and pages. */
export type DescribedParam = {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  /** The words an error message uses for accepted values. */
  readonly expected: string;
  readonly is_required: boolean;
  readonly is_list: boolean;
  readonly choices: readonly string[] | null;
  readonly default: string | null;
  /** The parameter whose presence disables the default. */
  readonly default_unless: string | null;
  /** Values that mean "no filter", as does an empty text; if none and there is a default, all of them mean that. */
  readonly off_values: readonly string[];
  /** Other accepted names. */
  readonly aliases: readonly string[];
};

/** A field of a response's rows, described for forms and pages. */
export type DescribedColumn = {
  readonly name: string;
  readonly wire: string;
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly about: string;
};

/** A dataset's definition as plain JSON, complete for readers and forms. */
export type DescribedDataset = {
  readonly agent_id: number;
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly plan: string;
  readonly limit: { readonly default: number; readonly max: number };
  readonly order: string;
  readonly params: readonly DescribedParam[];
  readonly row: readonly DescribedColumn[];
  readonly examples: readonly Example[];
  /** How its figures are computed. */
  readonly formula: readonly Formula[];
  readonly notes: readonly string[];
  /** Agent ids of related datasets. */
  readonly related: readonly number[];
};

/** Invalid for every type, so that parsing it yields the description of what is accepted. */
const NOTHING_READS_AS = "\u0000";

export function describeDataset(dataset: DatasetDefinition): DescribedDataset {
  const { agentId, name, title, summary, plan, limit, order, formula, notes, related } = dataset;
  return {
    agent_id: agentId,
    name,
    title,
    summary,
    plan,
    limit: { default: limit.default, max: limit.max },
    order,
    params: Object.entries(dataset.params).map(([one, param]) => describeParam(one, param, dataset)),
    row: Object.entries(dataset.row).map(([one, column]) => describeColumn(one, column)),
    examples: examplesOf(dataset),
    formula: formula ?? [],
    notes: notes ?? [],
    related: related ?? [],
  };
}

function describeParam(name: string, param: Param, { params }: DatasetDefinition): DescribedParam {
  const refused = param.parse(NOTHING_READS_AS);
  return {
    name,
    type: param.type,
    about: param.about,
    expected: refused.ok ? param.type : refused.expected,
    is_required: isAlwaysRequired(param),
    is_list: param.isList,
    choices: param.choices ?? null,
    default: param.defaultText ?? null,
    default_unless: param.defaultUnless ?? null,
    off_values: param.offValues.filter((value) => value !== ""),
    aliases: param.aliases.filter((alias) => !(alias in params)),
  };
}

function describeColumn(name: string, { wire, unit, nullable, about }: Column): DescribedColumn {
  return { name, wire, unit: unit ?? null, nullable, about };
}
