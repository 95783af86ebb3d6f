import { num, type Column } from "../../definition/column.ts";
import { fromDefinition, type Sql } from "../../definition/sql.ts";

/** A field of an answer and the expression over walletProfileSql that fills it. */
export type Field = { readonly column: Column; readonly from: Sql };

export const field = (column: Column, from: string): Field => ({ column, from: fromDefinition(from) });

/** A figure of six places, null where it is not defined. */
export const figure = (about: string, from: string, unit?: string): Field =>
  field(num(unit).maybe(about), `round(${from}, 6)`);
