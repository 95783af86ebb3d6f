import { useState, type ReactElement } from "react";
import { Link } from "react-router";
import { useDatasets } from "../../api/datasets.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { groupDatasets } from "../../explore/group-datasets.ts";
import { Badge } from "../../ui/indicators.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextInput } from "../../ui/form-fields.tsx";

/** All datasets, grouped by subject. */
export default function ExplorePage(): ReactElement {
  const datasets = useDatasets();
  const [search, setSearch] = useState("");
  return (
    <>
      <PageHeader title="Explore" about="Every dataset, with a form, a table and the request as code." />
      {datasets.isPending ? <Spinner label="Loading the datasets" /> : null}
      {datasets.isError ? <ErrorNote error={datasets.error} onRetry={() => void datasets.refetch()} /> : null}
      {datasets.data === undefined ? null : (
        <>
          <div className="mb-6 max-w-md">
            <TextInput
              label="Search datasets"
              type="search"
              placeholder="candles, 574, win_rate …"
              value={search}
              onChange={setSearch}
            />
          </div>
          <Groups datasets={datasets.data} search={search} />
        </>
      )}
    </>
  );
}

function Groups({
  datasets,
  search,
}: {
  readonly datasets: readonly Dataset[];
  readonly search: string;
}): ReactElement {
  const groups = groupDatasets(datasets, search);
  const found = groups.reduce((sum, group) => sum + group.datasets.length, 0);
  return (
    <>
      <p role="status" className={search === "" ? "sr-only" : "mb-4 text-sm text-ink-faint"}>
        {found === 1 ? "1 dataset" : `${found} datasets`}
      </p>
      {found === 0 ? (
        <Empty title="No dataset matches the search">Names, summaries, ids and fields are searched.</Empty>
      ) : null}
      <div className="flex flex-col gap-8">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h2 className="mb-3 font-serif text-lg">{group.title}</h2>
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {group.datasets.map((dataset) => (
                <DatasetCard key={dataset.agent_id} dataset={dataset} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function DatasetCard({ dataset }: { readonly dataset: Dataset }): ReactElement {
  const { agent_id, name, title, summary, plan, may_read } = dataset;
  return (
    <li className="relative flex flex-col rounded-xl border border-line bg-surface p-4 shadow-card hover:border-line-strong">
      <div className="flex items-start justify-between gap-2">
        <h3 className="font-medium">
          <Link to={`/explore/${name}`} className="after:absolute after:inset-0 after:rounded-xl">
            {title}
          </Link>
        </h3>
        {may_read ? null : <Badge tone="warn">needs {plan}</Badge>}
      </div>
      <p className="mt-1 line-clamp-3 text-[13px] text-ink-faint">{summary}</p>
      <p className="mt-auto pt-2 font-mono text-xs text-ink-faint">
        {agent_id} · {name}
      </p>
    </li>
  );
}
