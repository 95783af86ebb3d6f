import { listItems, type Param, type Parsed } from "../definition/param.ts";
import { shown } from "./refuse.ts";

/** A value as compatible mode accepts it: `isNothing` if no row can have it, `isAbsent` if treated as not sent. */
export type Forgiven = {
  readonly parsed: Parsed;
  readonly warning?: string;
  readonly isNothing?: boolean;
  readonly isAbsent?: boolean;
};

/** Reads a value; an unreadable one is handled according to its parameter's kind, or left unchanged. */
export function forgiven(definition: Param, text: string): Forgiven {
  const parsed = definition.parse(text);
  const { mistaken, defaultText } = definition;
  if (parsed.ok || mistaken === undefined) return { parsed };
  const why = `${shown(text)} is not valid (${parsed.expected})`;
  if (mistaken === "default") {
    if (defaultText === undefined) return { parsed, isAbsent: true, warning: `${why} and was ignored` };
    return { parsed: definition.parse(defaultText), warning: `${why}; the default ${defaultText} was used` };
  }
  if (!definition.isList) return { parsed, isNothing: true, warning: `${why}, so no row matches` };
  const items = listItems(text);
  const good = items.filter((item) => definition.parse(item).ok);
  // Every item is valid; only the list is too long.
  if (good.length === items.length && items.length > 0) return { parsed };
  if (good.length === 0) return { parsed, isNothing: true, warning: `${why}, so no row matches` };
  const bad = items.filter((item) => !good.includes(item));
  return {
    parsed: definition.parse(good.join(",")),
    warning: `${shown(bad.join(", "))} is not valid and was left out`,
  };
}
