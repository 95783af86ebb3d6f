import { useState, type ReactElement } from "react";
import { problemOf } from "../../api/console-problem.ts";
import { useSignIn } from "../../api/session.ts";
import { Brand } from "../../app/brand.tsx";
import { ThemeSwitch } from "../../app/theme-switch.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PasswordInput, TextInput } from "../../ui/form-fields.tsx";

function SignInForm(): ReactElement {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  const problem = problemOf(signIn.error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate({ email: email.trim(), password });
      }}
    >
      <TextInput
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={setEmail}
        error={problem?.of("email")}
      />
      <PasswordInput label="Password" value={password} onChange={setPassword} error={problem?.of("password")} />
      {signIn.isError ? <ErrorNote error={signIn.error} /> : null}
      <Button type="submit" tone="primary" isBusy={signIn.isPending}>
        {signIn.isPending ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}

/** The form with the service's name around it. */
export function SignIn(): ReactElement {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-[14vh] pb-8">
      <main className="w-full max-w-sm">
        <div className="mb-8">
          <Brand />
        </div>
        <PageHeader title="Sign in" about="Every prediction market behind one endpoint." />
        <div className="rounded-2xl border border-line bg-surface p-6 shadow-card">
          <SignInForm />
        </div>
        <p className="mt-4 text-[13px] text-ink-faint">
          Accounts are created by the operator of this service. Ask them for one, or for a new password.
        </p>
      </main>
      <footer className="mt-auto pt-10">
        <ThemeSwitch />
      </footer>
    </div>
  );
}
