import { useEffect, useState } from 'react'
import { useIdentity } from '../../hooks/identity.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { ErrorState, Notice } from '../../ui/states.tsx'
import { AuthForm } from './auth-form.tsx'
import { describeAuthError } from './auth-messages.ts'
import { AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { readIdentityErrorCode, useAuthAction, usePasswordPolicyCheck } from './use-account.ts'

interface ResetPasswordPageProps {
  /** The one-time code in the link of the password reset email. */
  code: string
  /** Called with the email address of the account. */
  onDone: (email: string) => void
}

/** The page checks the code with the server first, and shows the form only if the code is valid. */
export function ResetPasswordPage({ code, onDone }: ResetPasswordPageProps) {
  const identity = useIdentity()
  const [checkResult, setCheckResult] = useState<{ email?: string; failure?: string }>({})
  const [checkAttempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `checkAttempt` is incremented to run the check again.
  useEffect(() => {
    let isCheckStale = false
    setCheckResult({})
    const checkCode = async () => (await identity.open()).checkResetCode(code)
    checkCode().then(
      (email) => !isCheckStale && setCheckResult({ email }),
      (error: unknown) => !isCheckStale && setCheckResult({ failure: readIdentityErrorCode(error) }),
    )
    return () => {
      isCheckStale = true
    }
  }, [identity, code, checkAttempt])

  const { email, failure } = checkResult
  if (email !== undefined) return <ResetForm code={code} email={email} onDone={onDone} />
  return (
    <AuthPage title="Reset password" isPending={failure === undefined}>
      {failure === undefined ? (
        <Notice>Checking your link...</Notice>
      ) : failure === 'network-request-failed' || failure === 'internal-error' ? (
        <ErrorState title={describeAuthError(failure)} onRetry={() => setAttempt(checkAttempt + 1)} />
      ) : (
        <>
          <Notice kind="bad">{describeAuthError(failure)}</Notice>
          <Button to="/forgot-password" variant="primary" size="big">
            Ask for a new link
          </Button>
        </>
      )}
    </AuthPage>
  )
}

function ResetForm({ code, email, onDone }: ResetPasswordPageProps & { email: string }) {
  const identity = useIdentity()
  const resetAttempt = useAuthAction(async (password: string) => (await identity.open()).resetPassword(code, email, password))
  const [password, setPassword] = useState('')
  const [problemText, setProblem] = useState<string>()
  const passwordAdvice = usePasswordPolicyCheck(password, resetAttempt)
  return (
    <AuthPage title="Reset password" introduction={`Choose a new password for ${email}.`}>
      <AuthForm
        attempt={resetAttempt}
        submitLabel="Reset password"
        advice={passwordAdvice}
        onSubmit={async (formData, form) => {
          const newPassword = readFieldText(formData, 'password')
          const arePasswordsEqual = newPassword === readFieldText(formData, 'confirm')
          setProblem(arePasswordsEqual ? undefined : 'Passwords do not match')
          const confirmField = form.elements.namedItem('confirm')
          if (!arePasswordsEqual) return confirmField instanceof HTMLElement && confirmField.focus()
          if (await resetAttempt.run(newPassword)) onDone(email)
        }}
      >
        {/* The username of the password, for password managers. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField label="Password" name="password" required advice={passwordAdvice} onPassword={setPassword} />
        <PasswordField
          label="Confirm password"
          name="confirm"
          autoComplete="new-password"
          problem={problemText}
          onInput={() => setProblem(undefined)}
        />
      </AuthForm>
    </AuthPage>
  )
}
