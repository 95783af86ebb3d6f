import { useState, type ReactElement } from "react";
import { useNavigate } from "react-router";
import { problemOf } from "../../api/console-problem.ts";
import { useChangePassword } from "../../api/session.ts";
import { useSession } from "../../app/session-context.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PasswordInput } from "../../ui/form-fields.tsx";
import { passwordProblem } from "./password-problem.ts";

function PasswordForm({ email }: { readonly email: string }): ReactElement {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [reported, setReported] = useState<{ next?: string | undefined; again?: string | undefined }>({});
  const change = useChangePassword();
  const navigate = useNavigate();
  const problem = problemOf(change.error);
  const submit = (): void => {
    const wrong = { next: passwordProblem(next), again: again === next ? undefined : "The passwords do not match." };
    setReported(wrong);
    if (wrong.next !== undefined || wrong.again !== undefined) return;
    change.mutate(
      { current_password: current, new_password: next },
      { onSuccess: () => void navigate("/", { replace: true }) },
    );
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label="Current password"
        value={current}
        onChange={setCurrent}
        error={problem?.of("current_password")}
      />
      <PasswordInput
        label="New password"
        isNew
        value={next}
        onChange={setNext}
        help="At least 12 characters; a few words that only you would put together are good."
        error={reported.next ?? problem?.of("new_password")}
      />
      <PasswordInput label="New password again" isNew value={again} onChange={setAgain} error={reported.again} />
      {change.isError ? <ErrorNote error={change.error} /> : null}
      <Button type="submit" tone="primary" isBusy={change.isPending} className="self-start">
        Change password
      </Button>
    </form>
  );
}

export default function PasswordPage(): ReactElement {
  const user = useSession();
  const isForced = user.must_change_password === true;
  return (
    <div className="mx-auto max-w-lg">
      <PageHeader
        title={isForced ? "Choose your own password" : "Change password"}
        about={
          isForced
            ? "The one you signed in with was created by somebody else. Choose one that only you know to continue."
            : "You stay signed in here and are signed out everywhere else."
        }
      />
      <Card>
        <PasswordForm email={user.email} />
      </Card>
    </div>
  );
}
