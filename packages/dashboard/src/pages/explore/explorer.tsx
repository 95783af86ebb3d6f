import { useCallback, useEffect, useRef, useState, type ReactElement } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Asked } from "../../explore/asked.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { LONGEST_LINK, askedOf, searchOf } from "../../explore/link-of.ts";
import { pageOf } from "../../explore/page-of.ts";
import { placeErrors, type PlacedErrors } from "../../explore/place-errors.ts";
import { requestOf } from "../../explore/request-of.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import { AskForm } from "./ask-form.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { SnippetsPanel } from "./snippets-panel.tsx";
import { useAnswer } from "./use-answer.ts";

const NO_ERRORS: PlacedErrors = { fields: new Map(), others: [] };

/** The form, and beside it what it gave. The address holds the question, so that it can be shared and gone back to. */
export function Explorer({ dataset }: { readonly dataset: Dataset }): ReactElement {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>(() => askedOf(dataset, search));
  const [shown, setShown] = useState(search);
  const [wrongPage, setWrongPage] = useState<ReadonlyMap<string, string>>(new Map());
  const { state, run, more, cancel, clear } = useAnswer();
  const form = useRef<HTMLFormElement>(null);
  const submitted = useRef<string>(undefined);
  if (search !== shown) {
    setShown(search);
    setAsked(askedOf(dataset, search));
  }
  // A link, or the way back in the history, asks by itself.
  useEffect(() => {
    if (submitted.current === search) return;
    submitted.current = undefined;
    if (search === "") clear();
    else run(requestOf(dataset, askedOf(dataset, search)));
  }, [dataset, search, run, clear]);

  const submit = useCallback(
    (next: Asked): void => {
      const page = pageOf(dataset, next);
      setWrongPage(page.ok ? new Map() : page.problems);
      if (!page.ok) return;
      const link = searchOf(dataset, next);
      const goesTo = link.length > LONGEST_LINK ? search : link;
      submitted.current = goesTo;
      if (goesTo !== search) void navigate({ pathname, search: goesTo });
      run(requestOf(dataset, next));
    },
    [dataset, navigate, pathname, run, search],
  );
  const placed = state.error === undefined ? NO_ERRORS : placeErrors(dataset, state.error.details);
  const errors = new Map([...placed.fields, ...wrongPage]);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <AskForm
        dataset={dataset}
        asked={asked}
        onChange={setAsked}
        onSubmit={submit}
        onCancel={cancel}
        errors={errors}
        isAsking={state.askingSince !== undefined}
        form={form}
      />
      <div className="flex min-w-0 flex-col gap-6">
        <ErrorSummary
          dataset={dataset}
          error={state.error}
          wrongPage={wrongPage}
          others={placed.others}
          form={form}
          onRename={(from, to) => setAsked(renamed(asked, from, to))}
        />
        <AnswerPanel dataset={dataset} state={state} onMore={more} />
        <SnippetsPanel dataset={dataset} asked={asked} />
      </div>
    </div>
  );
}

function renamed(asked: Asked, from: string, to: string): Asked {
  const { [from]: text = "", ...rest } = asked.params;
  return { ...asked, params: { ...rest, [to]: text } };
}
