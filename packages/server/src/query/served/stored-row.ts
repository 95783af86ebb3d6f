import { narrowed, type Micros } from "../../definition/micros.ts";
import { floatText, microText } from "../../definition/value-text.ts";
import type { KeyedRow } from "../../definition/served-keyed.ts";
import type { ServedColumn, ServedTable } from "../../definition/served.ts";
import type { Cell, StoredBlock } from "./stored-cells.ts";

const DAY = 86_400;

/** A row of the engine's blocks with the interface of a row held by key; one object is moved from row to row. */
export class StoredRow implements KeyedRow {
  readonly #table: ServedTable;
  #columns: StoredBlock["columns"] = {};
  #row = 0;

  constructor(table: ServedTable) {
    this.#table = table;
  }

  move({ columns }: StoredBlock, row: number): this {
    this.#columns = columns;
    this.#row = row;
    return this;
  }

  number(column: string): number {
    const served = this.#served(column);
    if (served.kind === "seconds") return this.#seconds(column, served.of);
    const cell = this.#cell(column);
    return served.kind === "choice" ? served.values.indexOf(String(cell)) : Number(cell);
  }

  micros(column: string): Micros {
    const cell = this.#cell(column);
    if (typeof cell !== "bigint") throw new TypeError(`${column} is null or no money`);
    return narrowed(cell);
  }

  value(column: string): string | number | null {
    const { kind } = this.#served(column);
    if (kind === "money") {
      const cell = this.#cell(column) as bigint | null;
      return cell === null ? null : microText(cell);
    }
    if (kind === "text") return textOf(this.#cell(column));
    if (kind === "list") return (this.#cell(column) as readonly Cell[]).map(amountOf).join(",");
    if (kind === "flag") return this.#cell(column) === 1 ? "true" : "false";
    if (kind === "seconds" || kind === "count" || kind === "millis" || kind === "micros") return this.number(column);
    return this.#cell(column) as string;
  }

  /** A null timestamp is 0, as is that of a table without one. */
  #seconds(column: string, of: "day" | "maybe" | "none" | undefined): number {
    if (of === "none") return 0;
    const number = Number(this.#cell(column) ?? 0);
    return of === "day" ? number * DAY : number;
  }

  #served(column: string): ServedColumn {
    const served = this.#table.columns[column];
    if (served === undefined) throw new TypeError(`${this.#table.name} has no column ${column}`);
    return served;
  }

  #cell(column: string): Cell {
    const cells = this.#columns[column];
    if (cells === undefined) throw new TypeError(`${this.#table.name} was read without ${column}`);
    return cells(this.#row);
  }
}

/** 64-bit integers and floats are texts as the engine prints them. */
const textOf = (cell: Cell): string => (typeof cell === "number" ? floatText(cell) : String(cell));

/** Items of a list: amounts in millionths, and 256-bit integers. */
const amountOf = (cell: Cell): string => (typeof cell === "bigint" ? microText(cell) : String(cell));
