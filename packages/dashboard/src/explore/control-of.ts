import type { DatasetParam } from "./dataset.ts";

export type Control = "choice" | "flag" | "moment" | "day" | "list" | "number" | "id" | "zone" | "text";

const BY_TYPE: Readonly<Record<string, Control>> = {
  boolean: "flag",
  choice: "choice",
  moment: "moment",
  day: "day",
  number: "number",
  integer: "number",
  probability: "number",
  "wallet address": "id",
  "condition id": "id",
  "token id": "id",
  "slug or ticker": "id",
  "time zone": "zone",
};

/** The form control of a parameter. An unknown type gets a text control. */
export function controlOf(param: DatasetParam): Control {
  if (param.is_list) return "list";
  const known = BY_TYPE[param.type];
  if (known === "choice" && param.choices === null) return "text";
  return known ?? (param.choices === null ? "text" : "choice");
}

/** The type of one item of a list, e.g. "wallet address" of "list of wallet address". */
export function itemType(param: DatasetParam): string {
  return param.type.replace(/^list of /, "");
}
