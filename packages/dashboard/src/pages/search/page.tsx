import type { ReactElement } from "react";
import { Link, useSearchParams } from "react-router";
import { Figure, Timestamp } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { Badge } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { searchedWords } from "./where-to.ts";
import type { KalshiRow } from "../market/kalshi-market.tsx";
import type { MarketRow } from "../market/market-row.ts";

const [POLYMARKET, KALSHI] = [574, 565];
const MOST = 25;

function PolymarketHits({ requested }: { readonly requested: string }): ReactElement {
  const params =
    requested === "" ? { closed: "False", sort_by: "volume_24h" } : { market_slug: searchedWords(requested) };
  const query = useRows<MarketRow>(POLYMARKET, params, { limit: MOST });
  return (
    <Card
      title="Polymarket"
      about={requested === "" ? "Open markets by 24-hour volume." : "By words of title, slug and event."}
    >
      <ShownRows query={query} none={`No market's title, slug or event has the words “${requested}”.`}>
        {(rows) => (
          <ul className="divide-y divide-line/60">
            {rows.map((row) => (
              <li key={row.condition_id} className="py-2 text-sm">
                <Link
                  to={`/markets/polymarket/${row.condition_id}`}
                  className="font-medium text-accent hover:underline"
                >
                  {row.question}
                </Link>
                <span className="block text-[13px] text-ink-faint">
                  {row.closed ? <Badge>closed</Badge> : <Badge tone="good">open</Badge>} {row.side_a_outcome}{" "}
                  <Figure value={row.side_a_price} /> · volume <Figure value={row.volume_total} unit="$" /> · ends{" "}
                  <Timestamp at={row.end_date} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </ShownRows>
    </Card>
  );
}

function KalshiHits({ requested }: { readonly requested: string }): ReactElement {
  const params = requested === "" ? { status: "open", sort_by: "volume_24h" } : { title: searchedWords(requested) };
  const query = useRows<KalshiRow>(KALSHI, params, { limit: MOST });
  return (
    <Card title="Kalshi" about={requested === "" ? "Open markets by 24-hour volume." : "By words of title and ticker."}>
      <ShownRows query={query} none={`No market's title or ticker has the words “${requested}”.`}>
        {(rows) => (
          <ul className="divide-y divide-line/60">
            {rows.map((row) => (
              <li key={row.ticker} className="py-2 text-sm">
                <Link
                  to={`/markets/kalshi/${encodeURIComponent(row.ticker)}`}
                  className="font-medium text-accent hover:underline"
                >
                  {row.title}
                </Link>
                <span className="block text-[13px] text-ink-faint">
                  <Badge tone={row.status === "active" ? "good" : "quiet"}>{row.status}</Badge>{" "}
                  <span className="font-mono text-xs">{row.ticker}</span> · YES{" "}
                  <Figure value={row.last_price} unit="¢" /> · closes <Timestamp at={row.close_time} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </ShownRows>
    </Card>
  );
}

/** Markets of both venues by search words; without words, the most traded now. */
export default function SearchPage(): ReactElement {
  const [params] = useSearchParams();
  const typed = (params.get("q") ?? "").trim().slice(0, 200);
  const requested = searchedWords(typed) === "" ? "" : typed;
  return (
    <>
      <PageHeader
        title={requested === "" ? "Markets" : `Markets: ${requested}`}
        about="Words of a title, a slug or a ticker; a condition id, a token id or a wallet's address leads to its page."
      />
      <div className="grid min-w-0 grid-cols-1 gap-5 lg:grid-cols-2">
        <PolymarketHits requested={requested} />
        <KalshiHits requested={requested} />
      </div>
    </>
  );
}
