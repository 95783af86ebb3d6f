/** Parses the numeric value of a flag; throws an error that names the flag. */
export function readNumber(flag: string, text: string, bounds: { min: number; max: number }): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= bounds.min && value <= bounds.max)) {
    throw new Error(`--${flag} must be a number from ${bounds.min} to ${bounds.max}, got "${text}"`);
  }
  return value;
}
