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
