import type { ReactElement } from "react";
import { Link } from "react-router";
import type { Dataset } from "../../explore/dataset.ts";
import { Badge } from "../../ui/badge.tsx";

interface AboutDatasetProps {
  readonly dataset: Dataset;
  readonly datasets: readonly Dataset[];
}

/** What a dataset answers, what is to be known about it, and what is near it. */
export function AboutDataset({ dataset, datasets }: AboutDatasetProps): ReactElement {
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
          <summary className="w-fit">{notes.length === 1 ? "A note" : `${notes.length} notes`}</summary>
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
