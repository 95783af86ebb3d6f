import type { FormEvent, ReactElement, RefObject } from "react";
import { flushSync } from "react-dom";
import { NOTHING_REQUESTED, type Requested } from "../../explore/request.ts";
import type { Dataset, DatasetExample } from "../../explore/dataset.ts";
import { PageFields } from "./fields/page-fields.tsx";
import { ParamField } from "./fields/param-field.tsx";
import { Button } from "../../ui/button.tsx";

interface UnknownParamsProps {
  readonly dataset: Dataset;
  readonly requested: Requested;
  readonly onRemove: (name: string) => void;
}

/** A link's parameters that the dataset does not have: sent unchanged, so that the service suggests what was meant. */
function UnknownParams({ dataset, requested, onRemove }: UnknownParamsProps): ReactElement | null {
  const known = new Set(dataset.params.map((param) => param.name));
  const unknown = Object.entries(requested.params).filter(([name]) => !known.has(name));
  if (unknown.length === 0) return null;
  return (
    <div className="rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
      <p className="font-medium">Not parameters of this dataset</p>
      <ul className="mt-1 flex flex-col gap-1">
        {unknown.map(([name, text]) => (
          <li key={name} className="flex items-center justify-between gap-2">
            <code className="min-w-0 break-all">
              {name}={text}
            </code>
            <Button isSmall tone="quiet" aria-label={`Remove ${name}`} icon="cross" onClick={() => onRemove(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FormActionsProps {
  readonly isAsking: boolean;
  readonly onCancel: () => void;
  readonly onClear: () => void;
}

/** Stays visible while a long form scrolls. */
function FormActions({ isAsking, onCancel, onClear }: FormActionsProps): ReactElement {
  return (
    <div className="sticky bottom-0 flex gap-2 rounded-b-xl border-t border-line bg-surface px-5 py-3 max-md:bottom-16">
      <Button type="submit" tone="primary" className="flex-1">
        Run
      </Button>
      {isAsking ? <Button onClick={onCancel}>Cancel</Button> : null}
      <Button tone="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

interface ExamplesProps {
  readonly examples: readonly DatasetExample[];
  readonly onTake: (params: Readonly<Record<string, string>>) => void;
}

/** Example queries that fill the form. */
function Examples({ examples, onTake }: ExamplesProps): ReactElement | null {
  if (examples.length === 0) return null;
  return (
    <div>
      <h2 className="text-[13px] font-medium text-ink-soft">Examples</h2>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {examples.map((example) => (
          <li key={example.title} className="min-w-0">
            <button
              type="button"
              onClick={() => onTake(example.params)}
              className="rounded-lg bg-accent-soft px-2.5 py-1 text-left text-[13px] text-accent-strong hover:underline"
            >
              {example.title}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AskFormProps {
  readonly dataset: Dataset;
  readonly requested: Requested;
  readonly onChange: (requested: Requested) => void;
  readonly onSubmit: (requested: Requested) => void;
  readonly onCancel: () => void;
  readonly errors: ReadonlyMap<string, string>;
  readonly isAsking: boolean;
  readonly form: RefObject<HTMLFormElement | null>;
}

/** The form of a dataset, generated from its definition alone. */
export function AskForm(props: AskFormProps): ReactElement {
  const { dataset, requested, onChange, onSubmit, onCancel, errors, isAsking, form } = props;
  const set = (name: string, text: string): void => {
    const { [name]: _before, ...rest } = requested.params;
    onChange({ ...requested, params: text === "" ? rest : { ...rest, [name]: text } });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(requested);
  };
  const ordered = dataset.params.toSorted((a, b) => Number(b.is_required) - Number(a.is_required));
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Ask ${dataset.title}`}
      onSubmit={submit}
      className="rounded-xl border border-line bg-surface shadow-card"
    >
      <div className="flex flex-col gap-4 px-5 pt-4 pb-5">
        <Examples
          examples={dataset.examples}
          onTake={(params) => {
            flushSync(() => onChange({ ...NOTHING_REQUESTED, params }));
            form.current?.querySelector<HTMLButtonElement>('button[type="submit"]')?.focus();
          }}
        />
        <UnknownParams dataset={dataset} requested={requested} onRemove={(name) => set(name, "")} />
        {ordered.map((param) => (
          <ParamField
            key={param.name}
            param={param}
            text={requested.params[param.name] ?? ""}
            onChange={(text) => set(param.name, text)}
            error={errors.get(param.name)}
          />
        ))}
        <PageFields dataset={dataset} requested={requested} onChange={onChange} errors={errors} />
      </div>
      <FormActions isAsking={isAsking} onCancel={onCancel} onClear={() => onChange(NOTHING_REQUESTED)} />
    </form>
  );
}
