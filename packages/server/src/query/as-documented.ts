import { roundedTo } from "../definition/number-text.ts";
import { asSent, shown } from "./refuse.ts";

type Body = Readonly<Record<string, unknown>>;

export const TOP: readonly string[] = ["agent_id", "params", "pagination", "formatter_config"];
export const PAGE: readonly string[] = ["limit", "offset", "cursor"];

export const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Converts a body accepted in compatible mode to the documented form: `parameters` becomes `params`, unknown fields are
 * dropped.
 */
export function asDocumented({ parameters, ...body }: Body, warnings: string[]): Body {
  const params = body["params"] ?? parameters;
  if (parameters !== undefined)
    warnings.push(
      params === parameters ? "parameters: was read as params" : "parameters: was ignored because of params",
    );
  const pagination = isObject(body["pagination"])
    ? numbersOf(known(body["pagination"], PAGE, "pagination.", warnings), warnings)
    : body["pagination"];
  return known({ ...body, params, pagination }, TOP, "", warnings);
}

function known(body: Body, names: readonly string[], within: string, warnings: string[]): Body {
  const unknown = Object.keys(body).filter((key) => !names.includes(key));
  if (unknown.length > 0)
    warnings.push(`${within}${shown(unknown.join(", "))}: is unknown and was ignored; known are ${names.join(", ")}`);
  return Object.fromEntries(Object.entries(body).filter(([key]) => names.includes(key)));
}

/** Limit, offset and cursor without nulls, with numbers written as text converted to numbers. */
function numbersOf(page: Body, warnings: string[]): Body {
  const entries = Object.entries(page).flatMap(([key, value]): [string, unknown][] => {
    const number = typeof value === "string" && key !== "cursor" ? roundedTo(value, 0) : undefined;
    if (value === null) warnings.push(`pagination.${key}: null was taken as not sent`);
    if (number?.isExact !== true) return value === null ? [] : [[key, value]];
    warnings.push(`pagination.${key}: ${asSent(value)} is text and was read as its number`);
    return [[key, Number(number.text)]];
  });
  return Object.fromEntries(entries);
}
