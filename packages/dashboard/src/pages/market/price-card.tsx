import { useMemo, useState, type ReactElement } from "react";
import { CoverageNote } from "../../read/coverage-note.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useAsked } from "../../read/use-asked.ts";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { HappeningsList } from "./happenings-list.tsx";
import { marksOf } from "./happenings.ts";
import { IntervalChoice } from "./interval-choice.tsx";
import { PriceView } from "./price-view.tsx";
import { RangeChoice } from "./range-choice.tsx";
import { useHappenings } from "./use-happenings.ts";
import { usePrice } from "./use-price.ts";
import { useShownRange } from "./use-shown-range.ts";

const INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d", "1w"];
const LEAST_CHANGES = ["2", "5", "10", "25"];

type Props = { readonly conditionId: string; readonly tokenId: string; readonly outcome: string };

/** The price of an outcome as candles, with the jumps and posts of the range marked and listed. */
export function PriceCard({ conditionId, tokenId, outcome }: Props): ReactElement {
  const shown = useShownRange(INTERVALS);
  const [leastPct, chooseLeast] = useAsked("jump", "10", LEAST_CHANGES);
  const [active, setActive] = useState<string | null>(null);
  const price = usePrice(tokenId, shown);
  const happenings = useHappenings({ conditionId, tokenId, leastPct, from: price.from }, shown);
  const marks = useMemo(() => marksOf(happenings.all), [happenings.all]);

  return (
    <Card
      title={`Price of ${outcome}`}
      about="Candles from fills, with volume in shares; ▲▼ price jumps, ● posts about the market."
      aside={<RangeChoice range={shown.range} onRange={shown.chooseRange} />}
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-[13px]">
        <IntervalChoice intervals={INTERVALS} interval={shown.interval} onInterval={shown.chooseInterval} />
        <span className="flex items-center gap-2">
          Jumps from
          <ChoiceRow
            label="Least change of a jump in percent"
            value={leastPct}
            choices={LEAST_CHANGES.map((value) => ({ value, label: `${value} %` }))}
            onChange={chooseLeast}
          />
        </span>
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <ShownRows query={price.query} none="Nothing was traded yet.">
          {() => (
            <PriceView
              title={`${outcome}, ${shown.interval}`}
              {...price}
              stepS={shown.stepS}
              marks={marks}
              active={active}
            />
          )}
        </ShownRows>
        <div className="min-w-0">
          {happenings.errors.map((error) => (
            <ErrorNote key={error.message} error={error} />
          ))}
          {happenings.isPending ? <Spinner /> : null}
          {happenings.all.length > 0 || (happenings.coverages.length > 0 && !happenings.isPending) ? (
            <HappeningsList happenings={happenings.all} cuts={happenings.cuts} active={active} onActive={setActive} />
          ) : null}
          {happenings.coverages.map((coverage, index) => (
            <CoverageNote key={index === 0 ? "jumps" : "posts"} coverage={coverage} />
          ))}
        </div>
      </div>
    </Card>
  );
}
