import type { ReactElement } from "react";
import { useToday } from "../../read/use-today.ts";
import { Button } from "../../ui/button.tsx";
import { TextInput } from "../../ui/text-input.tsx";

type Props = { readonly day: string; readonly onDay: (day: string) => void };

/** The last UTC day of the window; today without one. */
export function DayInput({ day, onDay }: Props): ReactElement {
  const today = useToday();
  return (
    <div className="flex items-end gap-2">
      <TextInput
        label="As of (UTC day)"
        type="date"
        value={day}
        max={today}
        min="2020-01-01"
        onChange={(next) => onDay(next > today ? today : next)}
      />
      {day === "" ? null : <Button onClick={() => onDay("")}>Today</Button>}
    </div>
  );
}
