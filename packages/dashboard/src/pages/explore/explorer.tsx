import { useRef, type ReactElement } from "react";
import type { Asked } from "../../explore/asked.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { placeErrors, type PlacedErrors } from "../../explore/place-errors.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import { AskForm } from "./ask-form.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { SnippetsPanel } from "./snippets-panel.tsx";
import { useAnswer } from "./use-answer.ts";
import { useQuestion } from "./use-question.ts";

const NO_ERRORS: PlacedErrors = { fields: new Map(), others: [] };

/** The form, and beside it what it gave. */
export function Explorer({ dataset }: { readonly dataset: Dataset }): ReactElement {
  const answer = useAnswer();
  const { asked, setAsked, submit, wrongPage } = useQuestion(dataset, answer);
  const form = useRef<HTMLFormElement>(null);
  const { state } = answer;
  const placed = state.error === undefined ? NO_ERRORS : placeErrors(dataset, state.error.details);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <AskForm
        dataset={dataset}
        asked={asked}
        onChange={setAsked}
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
          onRename={(from, to) => setAsked(renamed(asked, from, to))}
        />
        <AnswerPanel dataset={dataset} state={state} onMore={answer.more} />
        <SnippetsPanel dataset={dataset} asked={asked} />
      </div>
    </div>
  );
}

function renamed(asked: Asked, from: string, to: string): Asked {
  const { [from]: text = "", ...rest } = asked.params;
  return { ...asked, params: { ...rest, [to]: text } };
}
