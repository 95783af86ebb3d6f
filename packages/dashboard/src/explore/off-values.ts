import type { DatasetParam } from "./dataset.ts";
import { readList } from "./list-text.ts";

/** Whether a text means "no filter" for a parameter. */
export function isOff(param: DatasetParam, text: string): boolean {
  const off = new Set(param.off_values.map((value) => value.toLowerCase()));
  const requested = text.trim().toLowerCase();
  if (requested === "" || off.has(requested)) return true;
  if (!param.is_list) return false;
  const items = readList(text);
  return items.length > 0 && items.every((item) => off.has(item.toLowerCase()));
}
