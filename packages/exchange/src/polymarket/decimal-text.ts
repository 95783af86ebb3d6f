/** Millionths as a plain decimal string without trailing zeros: 9_999_997 is "9.999997". */
export function decimalText(micro: number): string {
  return scaledText(micro, 6);
}

/** A price in 1e-4 as the CLOB writes it: 5200 is "0.52", 10000 is "1". */
export function priceText(e4: number): string {
  return scaledText(e4, 4);
}

function scaledText(value: number, digits: number): string {
  const sign = value < 0 ? "-" : "";
  const text = String(Math.abs(value)).padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "");
  const whole = text.slice(0, -digits);
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
