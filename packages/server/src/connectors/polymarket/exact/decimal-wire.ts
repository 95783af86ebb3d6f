import { z } from "zod";

const TEXT = /^-?\d{1,30}(\.\d{1,60})?([eE][+-]?\d{1,2})?$/;

/** A decimal as upstream writes it: a string of digits, or a JSON number in its shortest decimal form. Output: text. */
export const decimalWire = z.union([z.string().regex(TEXT, "a decimal"), z.number().transform(String)]);
