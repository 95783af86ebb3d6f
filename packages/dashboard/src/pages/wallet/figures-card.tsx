import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { FigureList, FlagList } from "../../read/field-lists.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRequested } from "../../read/use-requested.ts";
import { useRows } from "../../read/dataset-queries.ts";
import { Badge, Stat } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { FIGURE_GROUPS, FLAGS, SIGNED } from "./figure-groups.ts";

const WALLET_360 = 581;
const WINDOWS = ["1", "3", "7", "15", "30", "90", "all"];

type WalletRow = Readonly<Record<string, unknown>> & {
  readonly date_range_start: string;
  readonly date_range_end: string;
  readonly risk_level: string;
  readonly combined_risk_score: number;
  readonly pnl_status: string;
};

const TONES = { LOW: "good", MEDIUM: "warn", HIGH: "bad", CRITICAL: "bad" } as const;
const toneOf = (level: string): (typeof TONES)[keyof typeof TONES] | "quiet" =>
  level in TONES ? TONES[level as keyof typeof TONES] : "quiet";

/** All figures of a wallet over a window, grouped, each with its description, and its flags with their rules. */
export function FiguresCard({ address }: { readonly address: string }): ReactElement {
  const [days, chooseDays] = useRequested("window", "30", WINDOWS);
  const query = useRows<WalletRow>(WALLET_360, { proxy_wallet: address, window_days: days }, { limit: 1 });
  return (
    <Card title="Figures" about="Open a name to read how it is computed.">
      <ChoiceRow
        label="Window in days"
        value={days}
        choices={WINDOWS.map((value) => ({ value, label: value === "all" ? "all" : `${value} d` }))}
        onChange={chooseDays}
      />
      <ShownRows query={query} none="No known activity of this wallet by the end of the window.">
        {([row]) => (row === undefined ? null : <Figures row={row} />)}
      </ShownRows>
    </Card>
  );
}

function Figures({ row }: { readonly row: WalletRow }): ReactElement {
  return (
    <div className="mt-3 space-y-4">
      <p className="text-[13px] text-ink-faint">
        <Timestamp at={row.date_range_start} isDay /> to <Timestamp at={row.date_range_end} isDay /> (UTC days)
      </p>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-3">
        <Stat label="Profit" value={<Figure value={row["total_pnl"]} unit="$" isSigned />} note={row.pnl_status} />
        <Stat
          label="Risk"
          value={
            <span className="font-sans">
              <Badge tone={toneOf(row.risk_level)}>{row.risk_level}</Badge>
            </span>
          }
          note={`${row.combined_risk_score} of 100 points`}
        />
      </dl>
      <FlagList agentId={WALLET_360} row={row} names={FLAGS} />
      {FIGURE_GROUPS.map(({ title, names }, index) => (
        <details key={title} open={index === 0}>
          <summary className="text-sm font-medium">{title}</summary>
          <FigureList agentId={WALLET_360} row={row} names={names} signed={SIGNED} />
        </details>
      ))}
    </div>
  );
}
