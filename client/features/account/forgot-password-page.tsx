import { useEffect, useState } from 'react'
import { useIdentity } from '../../hooks/identity.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { AuthForm } from './auth-form.tsx'
import { AuthLink, AuthPage } from './auth-page.tsx'
import { readIdentityErrorCode, useAuthAction } from './use-account.ts'

export function ForgotPasswordPage() {
  const identity = useIdentity()
  const [sentToEmail, setSentToEmail] = useState<string>()
  const sendAttempt = useAuthAction(async (email: string) => {
    try {
      await (await identity.open()).sendReset(email)
    } catch (error) {
      // Reports success for an unknown address too, so that the form does not reveal which addresses have an account.
      if (readIdentityErrorCode(error) !== 'user-not-found') throw error
    }
  })
  useEffect(() => identity.preloadSdk(), [identity])
  return (
    <AuthPage title="Forgot password" introduction="Enter your email, and we'll send you a link to choose a new password.">
      <AuthForm
        attempt={sendAttempt}
        submitLabel={sentToEmail === undefined ? 'Send the link' : 'Send it again'}
        message={
          sentToEmail !== undefined &&
          sendAttempt.result?.error === undefined && (
            <Notice kind="good">
              If {sentToEmail} has an account, a link is on its way. It works for a short time. Check your spam folder, too.
            </Notice>
          )
        }
        onSubmit={async (formData) => {
          const email = readFieldText(formData, 'email').trim()
          if (await sendAttempt.run(email)) setSentToEmail(email)
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required />
      </AuthForm>
      <p>
        <AuthLink to="/login">Back to log-in</AuthLink>
      </p>
    </AuthPage>
  )
}
