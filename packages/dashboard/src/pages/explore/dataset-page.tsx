import type { ReactElement } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useDatasets } from "../../api/datasets.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { groupDatasets } from "../../explore/group-datasets.ts";
import { buttonClass } from "../../ui/button.tsx";
import { CONTROL_CLASS } from "../../ui/form-fields.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Explorer } from "./explorer.tsx";
import { Badge } from "../../ui/indicators.tsx";

interface AboutDatasetProps {
  readonly dataset: Dataset;
  readonly datasets: readonly Dataset[];
}

/** A dataset's description, notes and related datasets. */
function AboutDataset({ dataset, datasets }: AboutDatasetProps): ReactElement {
  const { agent_id, name, summary, plan, order, may_read, notes, related } = dataset;
  const near = datasets.filter((one) => related.includes(one.agent_id));
  return (
    <>
      <p>{summary}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px]">
        <span className="font-mono">agent_id {agent_id}</span>
        <Badge tone={may_read ? "quiet" : "warn"}>{may_read ? plan : `needs ${plan}`}</Badge>
        <span>Order: {order}.</span>
        <a href={`/docs/datasets/${name}`} className="text-accent underline">
          Documentation
        </a>
      </p>
      {near.length === 0 ? null : (
        <p className="mt-1 flex flex-wrap gap-x-2 text-[13px]">
          See also
          {near.map((one) => (
            <Link key={one.name} to={`/explore/${one.name}`} className="text-accent underline">
              {one.title}
            </Link>
          ))}
        </p>
      )}
      {notes.length === 0 ? null : (
        <details className="mt-1 text-[13px]">
          <summary className="w-fit">{notes.length === 1 ? "Note" : `${notes.length} notes`}</summary>
          <ul className="mt-1 list-disc space-y-1 pl-5">
            {notes.map((note) => (
              <li key={note}>{note.replaceAll("`", "")}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** One dataset: its form, its response, its request as code. */
export default function DatasetPage(): ReactElement {
  const { name } = useParams();
  const datasets = useDatasets();
  const dataset = datasets.data?.find((one) => one.name === name || String(one.agent_id) === name);
  if (datasets.isPending) return <Spinner label="Loading the datasets" />;
  if (datasets.data === undefined) return <ErrorNote error={datasets.error} onRetry={() => void datasets.refetch()} />;
  if (dataset === undefined) {
    return (
      <>
        <PageHeader title="No such dataset" />
        <Empty title={`There is no dataset ${name ?? ""}`}>
          <Link to="/explore" className="underline">
            See all datasets
          </Link>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={dataset.title}
        about={<AboutDataset dataset={dataset} datasets={datasets.data} />}
        actions={<Switcher datasets={datasets.data} name={dataset.name} />}
      />
      <Explorer key={dataset.name} dataset={dataset} />
    </>
  );
}

function Switcher({ datasets, name }: { readonly datasets: readonly Dataset[]; readonly name: string }): ReactElement {
  const navigate = useNavigate();
  return (
    <div className="flex flex-wrap gap-2">
      <select
        aria-label="Another dataset"
        value={name}
        onChange={(event) => void navigate(`/explore/${event.currentTarget.value}`)}
        className={`${CONTROL_CLASS} max-w-64 pr-8`}
      >
        {groupDatasets(datasets, "").map((group) => (
          <optgroup key={group.title} label={group.title}>
            {group.datasets.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <Link to="/explore" className={buttonClass("plain")}>
        All datasets
      </Link>
    </div>
  );
}
