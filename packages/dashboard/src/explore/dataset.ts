import type {
  DescribedColumn,
  DescribedDataset,
  DescribedParam,
} from "../../../server/src/definition/describe-dataset.ts";

export type DatasetParam = DescribedParam;
export type DatasetColumn = DescribedColumn;
export type DatasetExample = DescribedDataset["examples"][number];
export type DatasetFormula = DescribedDataset["formula"][number];

/** A dataset's definition, and whether the signed-in account may read it. */
export type Dataset = DescribedDataset & { readonly may_read: boolean };
