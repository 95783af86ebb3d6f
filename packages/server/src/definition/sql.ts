/** A piece of static SQL with its bound values; the only form in which SQL reaches the store. */
export type Sql = { readonly kind: "sql"; readonly text: string; readonly values: readonly Bound[] };

/** A value on its way into the engine: its engine type and its text form. Never pasted into SQL. */
export type Bound = { readonly kind: "bound"; readonly type: string; readonly value: BoundValue };
export type BoundValue = string | number | boolean | bigint | null | readonly (string | number | bigint)[];

/** Anything with a name in the store (a table). */
export type Named = { readonly kind: "table"; readonly name: string };

type Part = Sql | Bound | Named;

/** Placeholder of a bound value in `Sql.text`; the store numbers them when it sends the statement. */
export const PLACE = "\u0000";

/** Static SQL. A bare string or number in a `${}` is a type error and a run-time error. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  let text = strings[0] ?? "";
  const values: Bound[] = [];
  parts.forEach((part, index) => {
    text += place(part, values) + (strings[index + 1] ?? "");
  });
  return { kind: "sql", text, values };
}

function place(part: Part, values: Bound[]): string {
  if (part.kind === "sql") {
    values.push(...part.values);
    return part.text;
  }
  if (part.kind === "table") return part.name;
  if (part.kind === "bound") {
    values.push(part);
    return PLACE;
  }
  throw new TypeError("sql`` takes fragments, tables and bound values only");
}

/** A value with its engine type, e.g. `bind("UInt32", 5)` or `bind("Array(String)", ["a"])`. */
export function bind(type: string, value: BoundValue): Bound {
  return { kind: "bound", type, value };
}

export const nothing: Sql = { kind: "sql", text: "", values: [] };

/** Fragments joined by a separator that is itself static SQL; empty ones are skipped. */
export function joined(fragments: readonly Sql[], separator: Sql): Sql {
  const kept = fragments.filter((fragment) => fragment.text !== "");
  return {
    kind: "sql",
    text: kept.map((fragment) => fragment.text).join(separator.text),
    values: kept.flatMap((fragment) => fragment.values),
  };
}

/** The condition built from a parameter if it was sent, else nothing. */
export function given(value: Bound | undefined, condition: (value: Bound) => Sql): Sql {
  return value === undefined ? nothing : condition(value);
}

/** A name from our own definitions (a column, an alias) as SQL; throws for anything but a plain identifier. */
export function name(identifier: string): Sql {
  if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(identifier)) throw new TypeError(`not an identifier: ${identifier}`);
  return { kind: "sql", text: identifier, values: [] };
}

/** SQL text built from our own definitions (names, types, expressions), never from anything a caller sent. */
export const fromDefinition = (text: string): Sql => ({ kind: "sql", text, values: [] });
