import type { AlmanacError } from "@almanac/client";
import { useEffect, useRef, type ReactElement, type RefObject, useState } from "react";
import { errorPage, type PlacedErrors, suggestedName } from "../../explore/request-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

/** Counts down the service's Retry-After seconds. Needs its own React key for each error. */
function Countdown({ seconds }: { readonly seconds: number }): ReactElement {
  const [end] = useState(() => performance.now() + seconds * 1000);
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [end]);
  return <p className="mt-1 font-medium">{left > 0 ? `Run again in ${left} s.` : "Run again now."}</p>;
}

interface ErrorSummaryProps {
  readonly error: AlmanacError | undefined;
  readonly placed: PlacedErrors;
  /** Errors of limit and offset found before sending. */
  readonly wrongPage: ReadonlyMap<string, string>;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly onRename: (from: string, to: string) => void;
}

/** The service's error messages, with a link to each field; takes the focus when it appears. */
export function ErrorSummary(props: ErrorSummaryProps): ReactElement | null {
  const { error, placed, wrongPage, form, onRename } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== undefined || wrongPage.size > 0) box.current?.focus();
  }, [error, wrongPage]);
  if (error === undefined && wrongPage.size === 0) return null;
  const { fields, others } = wrongPage.size > 0 ? { fields: wrongPage, others: [] } : placed;
  const suggestions = (error?.details ?? []).flatMap((detail) => suggestedName(detail) ?? []);
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex items-start gap-3 rounded-xl bg-down-soft px-4 py-3 text-sm text-down"
    >
      <Icon name="alert" />
      <div className="min-w-0 flex-1 break-words">
        <p className="font-medium">{headline(error, wrongPage)}</p>
        {fields.size === 0 && others.length === 0 ? null : (
          <ul className="mt-1 list-disc space-y-0.5 pl-5">
            {[...fields].map(([name, words]) => (
              <li key={name}>
                <button type="button" className="font-mono underline" onClick={() => focusField(form.current, name)}>
                  {name}
                </button>{" "}
                {words}
              </li>
            ))}
            {others.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        )}
        {suggestions.map(({ wrong, right }) => (
          <Button key={wrong} isSmall className="mt-2 mr-2" onClick={() => onRename(wrong, right)}>
            Use {right} instead of {wrong}
          </Button>
        ))}
        {error?.retryAfterSeconds === undefined ? null : (
          <Countdown key={error.requestId} seconds={error.retryAfterSeconds} />
        )}
        <Facts error={error} />
      </div>
    </div>
  );
}

function headline(error: AlmanacError | undefined, wrongPage: ReadonlyMap<string, string>): string {
  if (wrongPage.size > 0 || error === undefined) return "The limit or offset is not valid.";
  const count = error.details.length;
  if (count === 0) return error.message;
  return count === 1 ? "One error to fix." : `${count} errors to fix.`;
}

function Facts({ error }: { readonly error: AlmanacError | undefined }): ReactElement | null {
  if (error === undefined) return null;
  const { status, code, requestId } = error;
  const page = errorPage(error);
  return (
    <p className="mt-1 font-mono text-xs break-all">
      {status === 0 ? "" : `${status} `}
      {page === undefined ? code : <a href={page}>{code}</a>}
      {requestId === undefined ? "" : ` · ${requestId}`}
    </p>
  );
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const found = form?.elements.namedItem(name);
  const field = found instanceof RadioNodeList ? found[0] : found;
  if (field instanceof HTMLElement) field.focus();
}
