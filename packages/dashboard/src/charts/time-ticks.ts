const DAY_S = 86_400;
const MINUTE_S = 60;

type Labels = (self: unknown, splits: readonly number[], axis?: number, space?: number, step?: number) => string[];

/** Axis labels: the date at the start of a day or for daily steps, else the time. UTC days are shown in UTC. */
export function timeTicks(isDays: boolean): Labels {
  const zone = isDays ? { timeZone: "UTC" } : {};
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...zone } as const;
  const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...zone });
  const time = new Intl.DateTimeFormat(undefined, clock);
  const second = new Intl.DateTimeFormat(undefined, { ...clock, second: "2-digit" });
  return (_, splits, _axis, _space, step = 0) => {
    let before = "";
    return splits.map((at) => {
      const date = new Date(at * 1000);
      const dayText = day.format(date);
      const isNewDay = before !== "" && dayText !== before;
      before = dayText;
      if (step >= DAY_S || isNewDay) return dayText;
      return (step < MINUTE_S ? second : time).format(date);
    });
  };
}
