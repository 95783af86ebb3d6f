import { useState, type ReactElement, type ReactNode } from "react";
import { useSnippets } from "../../api/datasets.ts";
import { type Requested, fillSnippet, MAX_LINK, pageOf, searchOf, requestOf } from "../../explore/request.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { Card } from "../../ui/card.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Tabs } from "../../ui/tabs.tsx";

const LANGUAGES = [
  { id: "curl", label: "curl" },
  { id: "typescript", label: "TypeScript" },
  { id: "python", label: "Python" },
] as const;

const panelOf = (shown: ReactNode) => (): ReactNode => shown;

/** The form's query as client code, and as a link. */
export function SnippetsPanel({
  dataset,
  requested,
}: {
  readonly dataset: Dataset;
  readonly requested: Requested;
}): ReactElement {
  const [active, setActive] = useState("curl");
  const { data: snippets } = useSnippets();
  const request = requestOf(dataset, requested);
  const { origin } = window.location;
  const search = searchOf(dataset, requested);
  const isPageValid = pageOf(dataset, requested).ok;
  const tabs = [
    ...LANGUAGES.map(({ id, label }) => ({
      id,
      label,
      panel: panelOf(
        isPageValid ? (
          <CopyText isBlock label={label} text={fillSnippet(snippets?.[id] ?? "", origin, request)} />
        ) : (
          <p className="text-sm text-warn">Correct the limit or the offset: without them the code would differ.</p>
        ),
      ),
    })),
    {
      id: "link",
      label: "Link",
      panel: panelOf(<ShareLink link={`${origin}/explore/${dataset.name}${search}`} length={search.length} />),
    },
  ];
  return (
    <Card
      title="The request as code"
      about={
        <>
          Set an API key in <code>ALMANAC_API_KEY</code>; no snippet or link contains one.
        </>
      }
    >
      <Tabs label="The request as" tabs={tabs} active={active} onChange={setActive} />
    </Card>
  );
}

function ShareLink({ link, length }: { readonly link: string; readonly length: number }): ReactElement {
  if (length <= MAX_LINK) return <CopyText isBlock label="link" text={link} />;
  return (
    <p className="text-sm text-warn">
      This request is too long for a link ({length} characters, {MAX_LINK} at most): share the curl command instead.
    </p>
  );
}
