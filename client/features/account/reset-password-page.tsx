import { useEffect, useState } from 'react'
import { codeOf, useAttempt, usePasswordAdvice } from '../../bindings/account.ts'
import { useIdentity } from '../../bindings/identity.ts'
import { PasswordField } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import { ErrorState, Notice } from '../../ui/states.tsx'
import { AuthForm, textOf } from './auth-form.tsx'
import { AuthPage } from './auth-page.tsx'
import { sentenceFor } from './auth-words.ts'
import { NewPasswordField } from './new-password-field.tsx'

interface ResetPasswordPageProps {
  /** What the link in the mail carried. */
  code: string
  /** Told the address that the password is of. */
  onDone: (email: string) => void
}

/** The code is asked about first: the form is shown only where it can be used. */
export function ResetPasswordPage({ code, onDone }: ResetPasswordPageProps) {
  const identity = useIdentity()
  const [check, setCheck] = useState<{ email?: string; failure?: string }>({})
  const [asked, setAsked] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is counted up to ask again.
  useEffect(() => {
    let left = false
    setCheck({})
    const ask = async () => (await identity.open()).checkResetCode(code)
    ask().then(
      (email) => !left && setCheck({ email }),
      (error: unknown) => !left && setCheck({ failure: codeOf(error) }),
    )
    return () => {
      left = true
    }
  }, [identity, code, asked])

  const { email, failure } = check
  if (email !== undefined) return <ResetForm code={code} email={email} onDone={onDone} />
  return (
    <AuthPage title="Reset password">
      {failure === undefined ? (
        <Notice>Checking your link...</Notice>
      ) : failure === 'network-request-failed' || failure === 'internal-error' ? (
        <ErrorState title={sentenceFor(failure)} onRetry={() => setAsked(asked + 1)} />
      ) : (
        <>
          <Notice kind="bad">{sentenceFor(failure)}</Notice>
          <Key to="/forgot-password" variant="lit" size="big">
            Ask for a new link
          </Key>
        </>
      )}
    </AuthPage>
  )
}

function ResetForm({ code, email, onDone }: ResetPasswordPageProps & { email: string }) {
  const identity = useIdentity()
  const reset = useAttempt(async (password: string) => (await identity.open()).resetPassword(code, email, password))
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const advice = usePasswordAdvice(password, reset)
  return (
    <AuthPage title="Reset password" lead={`Choose a new password for ${email}.`}>
      <AuthForm
        attempt={reset}
        action="Reset password"
        advice={advice}
        onSubmit={async (fields) => {
          const chosen = textOf(fields, 'password')
          if (chosen !== textOf(fields, 'confirm')) return setProblem('Passwords do not match')
          setProblem(undefined)
          if (await reset.run(chosen)) onDone(email)
        }}
      >
        {/* For password managers: whose password this is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField label="Password" name="password" required advice={advice} onPassword={setPassword} />
        <PasswordField
          label="Confirm password"
          name="confirm"
          autoComplete="new-password"
          required
          problem={problem}
          onInput={() => setProblem(undefined)}
        />
      </AuthForm>
    </AuthPage>
  )
}
