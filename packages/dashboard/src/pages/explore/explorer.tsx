import { useRef, type ReactElement, useCallback, useEffect, useState } from "react";
import { type Requested, MAX_LINK, requestedOf, searchOf, pageOf, requestOf, renamed } from "../../explore/request.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { placeErrors, type PlacedErrors } from "../../explore/request-errors.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import { AskForm } from "./ask-form.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { SnippetsPanel } from "./snippets-panel.tsx";
import { useAnswer, type AnswerHook } from "./use-answer.ts";
import { useLocation, useNavigate } from "react-router";

type QuestionHook = {
  readonly requested: Requested;
  readonly setRequested: (requested: Requested) => void;
  readonly submit: (requested: Requested) => void;
  /** Errors of limit and offset; no request is sent then. */
  readonly wrongPage: ReadonlyMap<string, string>;
};

const NOTHING_WRONG: ReadonlyMap<string, string> = new Map();

function problemsOf(dataset: Dataset, requested: Requested): ReadonlyMap<string, string> {
  const page = pageOf(dataset, requested);
  return page.ok ? NOTHING_WRONG : page.problems;
}

/** The form's contents, kept in the address: a link, or going back, fills the form and runs the query. */
function useQuestion(dataset: Dataset, { run, clear }: Pick<AnswerHook, "run" | "clear">): QuestionHook {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [requested, setRequested] = useState<Requested>(() => requestedOf(dataset, search));
  const [shown, setShown] = useState(search);
  const [wrongPage, setWrongPage] = useState(() => problemsOf(dataset, requested));
  const submitted = useRef<string>(undefined);
  if (search !== shown) {
    const next = requestedOf(dataset, search);
    setShown(search);
    setRequested(next);
    setWrongPage(problemsOf(dataset, next));
  }
  useEffect(() => {
    if (submitted.current === search) return;
    submitted.current = undefined;
    const next = requestedOf(dataset, search);
    if (search === "" || problemsOf(dataset, next).size > 0) clear();
    else run(requestOf(dataset, next));
  }, [dataset, search, run, clear]);

  const submit = useCallback(
    (next: Requested): void => {
      const wrong = problemsOf(dataset, next);
      setWrongPage(wrong);
      if (wrong.size > 0) return;
      const link = searchOf(dataset, next);
      const goesTo = link.length > MAX_LINK ? search : link;
      submitted.current = goesTo;
      if (goesTo !== search) void navigate({ pathname, search: goesTo });
      run(requestOf(dataset, next));
    },
    [dataset, navigate, pathname, run, search],
  );
  return { requested, setRequested, submit, wrongPage };
}

const NO_ERRORS: PlacedErrors = { fields: new Map(), others: [] };

/** The form, with the response next to it. */
export function Explorer({ dataset }: { readonly dataset: Dataset }): ReactElement {
  const answer = useAnswer();
  const { requested, setRequested, submit, wrongPage } = useQuestion(dataset, answer);
  const form = useRef<HTMLFormElement>(null);
  const { state } = answer;
  const placed = state.error === undefined ? NO_ERRORS : placeErrors(dataset, state.error.details);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <AskForm
        dataset={dataset}
        requested={requested}
        onChange={setRequested}
        onSubmit={submit}
        onCancel={answer.cancel}
        errors={new Map([...placed.fields, ...wrongPage])}
        isAsking={state.askingSince !== undefined}
        form={form}
      />
      <div className="flex min-w-0 flex-col gap-6">
        <ErrorSummary
          error={state.error}
          placed={placed}
          wrongPage={wrongPage}
          form={form}
          onRename={(from, to) => setRequested(renamed(requested, from, to))}
        />
        <AnswerPanel dataset={dataset} state={state} onMore={answer.more} />
        <SnippetsPanel dataset={dataset} requested={requested} />
      </div>
    </div>
  );
}
