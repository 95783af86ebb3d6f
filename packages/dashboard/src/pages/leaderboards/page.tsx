import { useMemo, type ReactElement } from "react";
import { readDay } from "../../read/read-day.ts";
import { useToday } from "../../read/use-today.ts";
import { useAsk } from "../../read/dataset-queries.ts";
import { useRequested } from "../../read/use-requested.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { EquityContext, equityAsks } from "./equity-cell.tsx";
import { daysOf, PERIODS, ProfitBoard } from "./profit-board.tsx";
import { ScoreBoard } from "./score-board.tsx";
import { Button } from "../../ui/button.tsx";
import { DateInput } from "../../ui/form-fields.tsx";

type Props = { readonly day: string; readonly onDay: (day: string) => void };

/** The last UTC day of the window; today if absent. */
function DayInput({ day, onDay }: Props): ReactElement {
  const today = useToday();
  return (
    <div className="flex items-end gap-2">
      <DateInput
        label="As of (UTC day)"
        value={day}
        max={today}
        min="2020-01-01"
        onChange={(next) => onDay(next > today ? today : next)}
      />
      {day === "" ? null : <Button onClick={() => onDay("")}>Today</Button>}
    </div>
  );
}

const SCORED_DAYS = 15;
const BOARDS = [
  { value: "profit", label: "By profit" },
  { value: "score", label: "By score" },
];

/** Wallets ranked by profit and by our score, for any window and any day. */
export default function LeaderboardsPage(): ReactElement {
  const [board, chooseBoard] = useRequested("board", "profit", ["profit", "score"]);
  const [period, choosePeriod] = useRequested("period", "7d", PERIODS);
  const [asOf, chooseDay] = useRequested("as_of", "");
  const day = readDay(asOf);
  const { ask, limitOf } = useAsk();
  const days = board === "profit" ? daysOf(period) : SCORED_DAYS;
  const today = useToday();
  const askEquity = useMemo(
    () => equityAsks({ ask, limitOf }, days, day === "" ? today : day),
    [ask, limitOf, days, day, today],
  );
  return (
    <>
      <PageHeader
        title="Leaderboards"
        about="All Polymarket wallets, ranked as of any past day. The lines are each wallet's equity over the window, ninety days at most."
        actions={<DayInput day={day} onDay={chooseDay} />}
      />
      <EquityContext value={askEquity}>
        <div className="mb-4">
          <ChoiceRow label="Leaderboard" value={board} choices={BOARDS} onChange={chooseBoard} />
        </div>
        {board === "profit" ? (
          <ProfitBoard day={day} period={period} onPeriod={choosePeriod} />
        ) : (
          <ScoreBoard day={day} />
        )}
      </EquityContext>
    </>
  );
}
