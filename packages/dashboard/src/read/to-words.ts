const SPELLED: Readonly<Record<string, string>> = {
  pnl: "profit",
  roi: "ROI",
  usd: "USD",
  clv: "closing line value",
  hhi: "HHI",
  pct: "%",
};

/** A field's name as words: "total_pnl" is "Total profit". */
export function toWords(name: string): string {
  const words = name
    .replace(/_flag$/, "")
    .split("_")
    .map((word) => SPELLED[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
