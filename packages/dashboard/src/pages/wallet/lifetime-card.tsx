import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { Card } from "../../ui/card.tsx";
import { Stat } from "../../ui/indicators.tsx";

const LIFETIME = 586;

type LifetimeRow = {
  readonly total_pnl: string;
  readonly roi_pct: string | null;
  readonly total_trades: number;
  readonly total_invested: string;
  readonly avg_trade_size: string | null;
  readonly avg_pnl_per_trade: string | null;
  readonly win_rate_pct: string | null;
  readonly first_trade: string | null;
  readonly last_trade: string | null;
};

/** A wallet's activity from its first event to today. */
export function LifetimeCard({ address }: { readonly address: string }): ReactElement {
  const query = useRows<LifetimeRow>(LIFETIME, { wallet_address: address }, { limit: 1 });
  return (
    <Card title="Lifetime" about="From its first event to today; losers count when their market is resolved.">
      <ShownRows query={query} none="No known events of this wallet.">
        {([row]) =>
          row === undefined ? null : (
            <>
              <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
                <Stat
                  label="Profit"
                  value={<Figure value={row.total_pnl} unit="$" isSigned />}
                  note={
                    <>
                      <Figure value={row.avg_pnl_per_trade} unit="$" /> a trade
                    </>
                  }
                />
                <Stat
                  label="ROI"
                  value={<Figure value={row.roi_pct} unit="%" isSigned />}
                  note={
                    <>
                      of <Figure value={row.total_invested} unit="$" />
                    </>
                  }
                />
                <Stat label="Positions won" value={<Figure value={row.win_rate_pct} unit="%" />} />
                <Stat
                  label="Trades"
                  value={<Figure value={String(row.total_trades)} />}
                  note={
                    <>
                      <Figure value={row.avg_trade_size} unit="$" /> each
                    </>
                  }
                />
              </dl>
              <p className="mt-3 text-[13px] text-ink-faint">
                First trade <Timestamp at={row.first_trade} />, last <Timestamp at={row.last_trade} />
              </p>
            </>
          )
        }
      </ShownRows>
    </Card>
  );
}
