import { useState, type ReactElement } from "react";
import { useParked, type ParkedPage } from "../../api/streams.ts";
import { Timestamp } from "../../read/values.tsx";
import { showBytes } from "../../read/value-text.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Badge } from "../../ui/indicators.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Select } from "../../ui/form-fields.tsx";

function ParkedItem({ page, onShow }: { readonly page: ParkedPage; readonly onShow: () => void }): ReactElement {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-5 py-4 last:border-b-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium break-words">{page.problem}</p>
        <p className="mt-0.5 text-[13px] break-all text-ink-faint">
          {page.stream} · {page.host} {page.path}
        </p>
        {page.refused_rows === null ? null : (
          <p className="mt-0.5 text-[13px] text-ink-faint">
            {showFigure(page.refused_rows)} of its rows could not be parsed; the others were.
          </p>
        )}
        {page.field === null ? null : <p className="mt-1 font-mono text-[13px] break-all">{page.field}</p>}
      </div>
      <div className="text-[13px] text-ink-faint">
        <p>
          {page.replayed_at === null ? <Badge tone="warn">waiting</Badge> : <Badge tone="good">read again</Badge>}{" "}
          {showFigure(page.times)} {page.times === 1 ? "time" : "times"} · {showBytes(page.body_bytes)}
        </p>
        <p className="mt-1">
          <Timestamp at={page.last_at} />
        </p>
      </div>
      {page.sample === null ? null : (
        <Button isSmall onClick={onShow} aria-label={`Show the sample of page ${page.id}`}>
          Sample
        </Button>
      )}
    </li>
  );
}

const STATES = [
  { value: "waiting", label: "Waiting" },
  { value: "read", label: "Read again" },
  { value: "", label: "All" },
];

function SampleDialog({ page, onClose }: { readonly page: ParkedPage; readonly onClose: () => void }): ReactElement {
  return (
    <Dialog title={`Sample of page ${page.id}`} isOpen onClose={onClose}>
      <p className="mb-2 text-sm break-words text-ink-soft">{page.problem}</p>
      <pre
        tabIndex={0}
        aria-label="Sample"
        className="max-h-[60dvh] overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-[13px] break-all whitespace-pre-wrap"
      >
        {page.sample}
      </pre>
    </Dialog>
  );
}

export default function OperatorParkedPage(): ReactElement {
  const [state, setState] = useState("waiting");
  const parked = useParked(state);
  const [shown, setShown] = useState<ParkedPage>();
  const pages = parked.data?.pages.flatMap((one) => one.pages);
  return (
    <>
      <PageHeader
        title="Parked pages"
        about="Responses of an unexpected shape. They are kept, ingestion continues, and they are read again once the parser is fixed."
        actions={
          <div className="w-40">
            <Select label="Show" value={state} onChange={setState} choices={STATES} />
          </div>
        }
      />
      {parked.isError ? <ErrorNote error={parked.error} onRetry={() => void parked.refetch()} /> : null}
      {parked.isPending ? <Spinner label="Loading parked pages" /> : null}
      {pages === undefined ? null : (
        <Card isFlush>
          {pages.length === 0 ? (
            <Empty title={state === "waiting" ? "Nothing is waiting" : "Nothing is parked"}>
              {state === "read" ? "No page had to be read again." : "Every response so far had the expected shape."}
            </Empty>
          ) : (
            <ul>
              {pages.map((page) => (
                <ParkedItem key={page.id} page={page} onShow={() => setShown(page)} />
              ))}
            </ul>
          )}
        </Card>
      )}
      <MoreButton list={parked} />
      {shown === undefined ? null : <SampleDialog page={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
