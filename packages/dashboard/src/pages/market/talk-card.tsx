import { useMemo, type ReactElement } from "react";
import { BarChart } from "../../charts/bar-chart.tsx";
import { RANGES, type RangeName } from "../../read/ranges.ts";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useAsked } from "../../read/use-asked.ts";
import { useRows } from "../../read/use-rows.ts";
import { Card } from "../../ui/card.tsx";

const VOLUME = 1007;
/** Buckets that suit a range: not more than the dataset gives in one page. */
const BUCKETS: Readonly<Record<RangeName, string>> = { "6h": "15m", "1d": "1h", "1w": "1h", "1m": "1d", "1y": "1d" };

type VolumeRow = {
  readonly bucket: string;
  readonly posts: number | null;
  readonly sources_down: readonly string[];
  readonly sentiment_mean: string | null;
};

/** How much is said of the market, bucket by bucket; a bucket in which nothing was gathered is a hole, not a zero. */
export function TalkCard({ conditionId }: { readonly conditionId: string }): ReactElement {
  const [range] = useAsked("range", "1w", Object.keys(RANGES));
  const name = range as RangeName;
  const hours = String(RANGES[name].seconds / 3600);
  const query = useRows<VolumeRow>(
    VOLUME,
    { condition_id: conditionId, interval: BUCKETS[name], hours_back: hours },
    { limit: 1000 },
  );
  return (
    <Card title="Posts about it" about={`A bar is ${BUCKETS[name]}. Where no source was gathered there is no bar.`}>
      <ShownRows query={query} none="Nothing was gathered in this range.">
        {(rows) => <TalkChart rows={rows} />}
      </ShownRows>
    </Card>
  );
}

function TalkChart({ rows }: { readonly rows: readonly VolumeRow[] }): ReactElement {
  const times = useMemo(() => rows.map(({ bucket }) => Date.parse(bucket) / 1000), [rows]);
  const series = useMemo(
    () => [{ label: "Posts", values: rows.map(({ posts }) => posts), color: "3" as const }],
    [rows],
  );
  const gathered = rows.filter(({ posts }) => posts !== null);
  const total = gathered.reduce((sum, { posts }) => sum + (posts ?? 0), 0);
  return (
    <>
      <BarChart title="Posts" times={times} series={series} height={140} />
      <p className="mt-1 text-[13px] text-ink-faint">
        {total} {total === 1 ? "post" : "posts"} in {gathered.length} of {rows.length} buckets that were gathered.
      </p>
    </>
  );
}
