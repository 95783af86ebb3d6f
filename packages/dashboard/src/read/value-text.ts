const SHOWN: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
};

/** A time in the user's zone; a UTC day as its date alone, since it has no equivalent in another zone. */
export function showTimestamp(at: string | number | Date | null | undefined, isDay = false): string {
  if (at === null || at === undefined || at === "") return "–";
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  if (!isDay) return new Intl.DateTimeFormat(undefined, SHOWN).format(date);
  return new Intl.DateTimeFormat(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  }).format(date);
}

const STEPS = [
  { seconds: 86_400, unit: "d" },
  { seconds: 3600, unit: "h" },
  { seconds: 60, unit: "min" },
] as const;

/** A duration in its two largest significant units: 3 d 4 h, 12 min, 850 ms. */
export function showSpan(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const total = Math.round(seconds);
  const at = STEPS.findIndex((step) => total >= step.seconds);
  const large = STEPS[at];
  if (large === undefined) return `${total} s`;
  const small = STEPS[at + 1] ?? { seconds: 1, unit: "s" };
  const whole = Math.floor(total / large.seconds);
  const rest = Math.floor((total - whole * large.seconds) / small.seconds);
  return rest === 0 ? `${whole} ${large.unit}` : `${whole} ${large.unit} ${rest} ${small.unit}`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** Bytes to three digits, in powers of 1,000. */
export function showBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = unit === 0 ? String(Math.round(value)) : value.toPrecision(3);
  return `${text} ${UNITS[unit]}`;
}

/** A wallet, hash or token abbreviated to its first and last digits. */
export function shortHex(text: string): string {
  return text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

/** An address from a post or a venue as a safe link: http or https only, never a script. */
export function safeLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
