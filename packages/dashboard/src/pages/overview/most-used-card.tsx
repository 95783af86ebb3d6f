import type { ReactElement } from "react";
import { Link } from "react-router";
import { useDatasets } from "../../api/datasets.ts";
import { useUsage } from "../../api/usage.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Meter } from "../../ui/indicators.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";
import { mostUsed } from "./most-used.ts";
import { useLastDays } from "./use-last-days.ts";

const MOST = 6;

/** The account's most used datasets; if it has none yet, the first that it may read. */
export function MostUsedCard(): ReactElement | null {
  const usage = useUsage(useLastDays().filter, "dataset");
  const datasets = useDatasets();
  if (datasets.data === undefined || usage.isPending) return null;
  const used = mostUsed(usage.data?.lines ?? [], MOST);
  const known = used.flatMap((one) => {
    const dataset = datasets.data.find(({ agent_id }) => agent_id === one.agent_id);
    return dataset === undefined ? [] : [{ ...one, dataset }];
  });
  const shown =
    known.length > 0
      ? known
      : datasets.data
          .filter(({ may_read }) => may_read)
          .slice(0, MOST)
          .map((dataset) => ({ dataset, requests: 0 }));
  const largest = shown[0]?.requests ?? 0;
  return (
    <Card
      title={known.length > 0 ? "Most requested" : "Datasets to start with"}
      aside={
        <Link to="/explore" className={TEXT_LINK}>
          All {datasets.data.length} datasets
        </Link>
      }
    >
      <ul className="-mx-2 grid grid-cols-1 sm:grid-cols-2 sm:gap-x-4">
        {shown.map(({ dataset, requests }) => (
          <li key={dataset.agent_id}>
            <Link to={`/explore/${dataset.name}`} className="group block rounded-lg px-2 py-2 hover:bg-sunken">
              <span className="flex items-center justify-between gap-3 text-sm">
                <span className="min-w-0 truncate font-medium">{dataset.title}</span>
                {requests > 0 ? (
                  <span className="text-ink-faint tabular-nums">{showFigure(requests)}</span>
                ) : (
                  <Icon name="right" size={14} />
                )}
              </span>
              {requests > 0 ? (
                <span className="mt-1.5 block">
                  <Meter
                    label={`Requests of ${dataset.title}`}
                    value={requests}
                    max={largest}
                    text={showFigure(requests)}
                  />
                </span>
              ) : (
                <span className="block truncate text-[13px] text-ink-faint">{dataset.summary}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
