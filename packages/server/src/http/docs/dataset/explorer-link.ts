import type { DatasetDefinition } from "../../../definition/dataset.ts";

/** The dashboard's form of a dataset, filled in. */
export function explorerLink({ name }: DatasetDefinition, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params).toString();
  return `/explore/${name}${query === "" ? "" : `?${query}`}`;
}
