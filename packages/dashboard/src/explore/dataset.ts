/** A parameter as GET /api/console/datasets tells it. */
export type DatasetParam = {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  readonly expected: string;
  readonly is_required: boolean;
  readonly is_list: boolean;
  readonly choices: readonly string[] | null;
  readonly default: string | null;
  /** The parameter beside which there is no default. */
  readonly default_unless: string | null;
  readonly off_values: readonly string[];
  readonly aliases: readonly string[];
};

export type DatasetColumn = {
  readonly name: string;
  /** text, id, flag, int, num, dec(n), iso, json string or list. */
  readonly wire: string;
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly about: string;
};

export type DatasetExample = { readonly title: string; readonly params: Readonly<Record<string, string>> };

/** How some of the figures are worked out, a sentence or formula a line; names stand in backticks. */
export type DatasetFormula = {
  readonly title: string;
  readonly fields: readonly string[];
  readonly says: readonly string[];
};

/** A dataset's definition, and whether the signed-in account may read it. */
export type Dataset = {
  readonly agent_id: number;
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly plan: string;
  readonly may_read: boolean;
  readonly limit: { readonly default: number; readonly max: number };
  readonly order: string;
  readonly params: readonly DatasetParam[];
  readonly row: readonly DatasetColumn[];
  readonly examples: readonly DatasetExample[];
  readonly formula: readonly DatasetFormula[];
  readonly notes: readonly string[];
  readonly related: readonly number[];
};
