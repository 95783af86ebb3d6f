import { PLACE, type Sql } from "../definition/sql.ts";
import { toParameterText } from "./literal.ts";

export type Numbered = { readonly text: string; readonly parameters: readonly (readonly [string, string])[] };

/** Numbers the places of a statement's values as the engine's named parameters: `{p0:Type}`. */
export function toNumbered(statement: Sql): Numbered {
  const pieces = statement.text.split(PLACE);
  if (pieces.length !== statement.values.length + 1)
    throw new TypeError("a statement's places and values do not match");
  let text = pieces[0] ?? "";
  const parameters = statement.values.map((value, index): readonly [string, string] => {
    text += `{p${index}:${value.type}}${pieces[index + 1] ?? ""}`;
    return [`param_p${index}`, toParameterText(value.value)];
  });
  return { text, parameters };
}
