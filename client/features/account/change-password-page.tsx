import { useCallback, useRef, useState } from 'react'
import { useAttempt, usePasswordAdvice } from '../../bindings/account.ts'
import { type Person, useIdentity } from '../../bindings/identity.ts'
import { PasswordField } from '../../ui/field.tsx'
import { AccountPage } from './account-layout.tsx'
import { AuthForm, textOf } from './auth-form.tsx'
import styles from './change-password-page.module.css'
import { NewPasswordField } from './new-password-field.tsx'
import { PassingMessage } from './passing-message.tsx'

export function ChangePasswordPage() {
  return <AccountPage title="Change password">{(person) => <ChangePasswordForm key={person.uid} person={person} />}</AccountPage>
}

type Problem = { field: 'current' | 'next' | 'confirm'; text: string }

function problemOf(current: string, next: string, confirm: string): Problem | undefined {
  if (current === '') return { field: 'current', text: 'Please fill in the current password field' }
  if (next === '' || confirm === '') return { field: next === '' ? 'next' : 'confirm', text: 'Please fill in both new password fields' }
  return next === confirm ? undefined : { field: 'confirm', text: 'Passwords do not match' }
}

function ChangePasswordForm({ person }: { person: Person }) {
  const identity = useIdentity()
  const change = useAttempt(async (current: string, next: string) => (await identity.open()).changePassword(current, next))
  const [next, setNext] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const [done, setDone] = useState(0)
  const advice = usePasswordAdvice(next, change)
  const refs = { current: useRef<HTMLInputElement>(null), next: useRef<HTMLInputElement>(null), confirm: useRef<HTMLInputElement>(null) }
  const field = (name: Problem['field']) => ({
    name,
    ref: refs[name],
    problem: problem?.field === name ? problem.text : undefined,
  })
  const forget = useCallback(() => setDone(0), [])
  const clear = () => setProblem(undefined)
  return (
    <div className={styles.column}>
      <AuthForm
        attempt={change}
        action="Change password"
        advice={advice}
        noValidate
        message={
          done > 0 && (
            <PassingMessage
              key={done}
              kind="good"
              text="Password updated successfully. This will take effect the next time you log in."
              onEnd={forget}
            />
          )
        }
        onSubmit={async (fields, form) => {
          const [given, chosen, again] = [textOf(fields, 'current'), textOf(fields, 'next'), textOf(fields, 'confirm')]
          const found = problemOf(given, chosen, again)
          setProblem(found)
          if (found) return refs[found.field].current?.focus()
          if (!(await change.run(given, chosen))) return
          form.reset()
          setNext('')
          setDone((count) => count + 1)
        }}
      >
        {/* For password managers: whose password this is. */}
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <PasswordField label="Current password" autoComplete="current-password" {...field('current')} onInput={clear} />
        <NewPasswordField
          label="New password"
          {...field('next')}
          advice={advice}
          onPassword={(password) => {
            clear()
            setNext(password)
          }}
        />
        <PasswordField label="Confirm new password" autoComplete="new-password" {...field('confirm')} onInput={clear} />
      </AuthForm>
    </div>
  )
}
