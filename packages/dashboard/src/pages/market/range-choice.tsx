import type { ReactElement } from "react";
import { RANGES } from "../../read/ranges.ts";
import { ChoiceRow } from "../../ui/choice-row.tsx";

const CHOICES = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));

/** Chooses how far back the page looks. */
export function RangeChoice(props: {
  readonly range: string;
  readonly onRange: (range: string) => void;
}): ReactElement {
  return <ChoiceRow label="Range" value={props.range} choices={CHOICES} onChange={props.onRange} />;
}
