const FORM = /^(-?)([0-9]*)(?:\.([0-9]*))?(?:e([+-]?[0-9]{1,4}))?$/i;
/** The usual form, which needs no work. */
const PLAIN = /^-?[0-9]{1,12}(?:\.[0-9]{1,6})?$/;
const MAX_DIGITS = 40;

export type Rounded = { readonly text: string; readonly isExact: boolean };

/**
 * A number as programs print it (50, 50.0, 1e3, 0.30000000000000004) as decimal text of at most `places` decimals, half
 * away from zero; undefined if it is not a number or has more than 40 digits before the point.
 */
export function roundedTo(sent: string, places: number): Rounded | undefined {
  const text = sent.trim();
  if (PLAIN.test(text) && text.length - (text.indexOf(".") + 1 || text.length) <= places)
    return { text, isExact: true };
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = FORM.exec(text) ?? [];
  if (whole === "" && fraction === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return { text: "0", isExact: true };
  const point = whole.length + Number(exponent) - (whole.length + fraction.length - digits.length);
  if (point > MAX_DIGITS) return undefined;
  const shifted = "0".repeat(Math.min(places + 2, Math.max(0, 1 - point))) + digits;
  const end = Math.max(1, point) + places;
  const rest = shifted.slice(end);
  const units = BigInt(shifted.slice(0, end).padEnd(end, "0")) + (rest >= "5" ? 1n : 0n);
  return { text: asDecimal(sign, units, places), isExact: /^0*$/.test(rest) };
}

function asDecimal(sign: string, units: bigint, places: number): string {
  const all = units.toString().padStart(places + 1, "0");
  const fraction = all.slice(all.length - places).replace(/0+$/, "");
  const text = `${all.slice(0, all.length - places)}${places === 0 || fraction === "" ? "" : `.${fraction}`}`;
  return units === 0n ? "0" : `${sign}${text}`;
}

/** Whether a text is a whole number in any spelling, as -1, -1.0, -1.00 and -1e0 are. */
export function isWhole(text: string, value: number): boolean {
  const read = roundedTo(text, 0);
  return read?.isExact === true && Number(read.text) === value;
}

/** On this wire it means "no bound". */
export const isMinusOne = (text: string): boolean => isWhole(text, -1);
