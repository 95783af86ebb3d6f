import type { FormEvent, ReactElement, RefObject } from "react";
import { flushSync } from "react-dom";
import { NOTHING_ASKED, type Asked } from "../../explore/asked.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { Examples } from "./examples.tsx";
import { PageFields } from "./fields/page-fields.tsx";
import { ParamField } from "./fields/param-field.tsx";
import { FormActions } from "./form-actions.tsx";
import { UnknownParams } from "./unknown-params.tsx";

interface AskFormProps {
  readonly dataset: Dataset;
  readonly asked: Asked;
  readonly onChange: (asked: Asked) => void;
  readonly onSubmit: (asked: Asked) => void;
  readonly onCancel: () => void;
  readonly errors: ReadonlyMap<string, string>;
  readonly isAsking: boolean;
  readonly form: RefObject<HTMLFormElement | null>;
}

/** The form of a dataset, drawn from its definition alone. */
export function AskForm(props: AskFormProps): ReactElement {
  const { dataset, asked, onChange, onSubmit, onCancel, errors, isAsking, form } = props;
  const set = (name: string, text: string): void => {
    const { [name]: _before, ...rest } = asked.params;
    onChange({ ...asked, params: text === "" ? rest : { ...rest, [name]: text } });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(asked);
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
            flushSync(() => onChange({ ...NOTHING_ASKED, params }));
            form.current?.querySelector<HTMLButtonElement>('button[type="submit"]')?.focus();
          }}
        />
        <UnknownParams dataset={dataset} asked={asked} onRemove={(name) => set(name, "")} />
        {ordered.map((param) => (
          <ParamField
            key={param.name}
            param={param}
            text={asked.params[param.name] ?? ""}
            onChange={(text) => set(param.name, text)}
            error={errors.get(param.name)}
          />
        ))}
        <PageFields dataset={dataset} asked={asked} onChange={onChange} errors={errors} />
      </div>
      <FormActions isAsking={isAsking} onCancel={onCancel} onClear={() => onChange(NOTHING_ASKED)} />
    </form>
  );
}
