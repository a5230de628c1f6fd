import { useEffect, useState } from 'react'
import { codeOf, useAttempt } from '../../bindings/account.ts'
import { useIdentity } from '../../bindings/identity.ts'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { AuthForm, textOf } from './auth-form.tsx'
import { AuthLink } from './auth-link.tsx'
import { AuthPage } from './auth-page.tsx'

export function ForgotPasswordPage() {
  const identity = useIdentity()
  const [sentTo, setSentTo] = useState<string>()
  const send = useAttempt(async (email: string) => {
    try {
      await (await identity.open()).sendReset(email)
    } catch (error) {
      // Said alike whether or not there is such an account.
      if (codeOf(error) !== 'user-not-found') throw error
    }
  })
  useEffect(() => identity.prepare(), [identity])
  return (
    <AuthPage title="Forgot password" lead="Enter the email of your account, and we send you a link to choose a new password.">
      <AuthForm
        attempt={send}
        action={sentTo === undefined ? 'Send the link' : 'Send it again'}
        message={
          sentTo !== undefined &&
          !send.failure && (
            <Notice kind="good">
              If there is an account for {sentTo}, a mail is on its way. Its link works for an hour; look among the unwanted mails, too.
            </Notice>
          )
        }
        onSubmit={async (fields) => {
          const email = textOf(fields, 'email').trim()
          if (await send.run(email)) setSentTo(email)
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required />
      </AuthForm>
      <p>
        <AuthLink to="/login">Back to the log-in</AuthLink>
      </p>
    </AuthPage>
  )
}
