import { useCallback, useRef, useState } from 'react'
import { AccountPage } from '../../components/account-page.tsx'
import { TransientMessage } from '../../components/transient-message.tsx'
import { type SignedInAccount, useIdentity } from '../../hooks/identity.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { PasswordField } from '../../ui/field.tsx'
import { AuthForm } from './auth-form.tsx'
import styles from './change-password-page.module.css'
import { NewPasswordField } from './new-password-field.tsx'
import { useAuthAction, usePasswordPolicyCheck } from './use-account.ts'

export function ChangePasswordPage() {
  return <AccountPage title="Change password">{(person) => <ChangePasswordForm key={person.uid} person={person} />}</AccountPage>
}

type FormProblem = { field: 'current' | 'next' | 'confirm'; text: string }

function validatePasswords(currentPassword: string, newPassword: string, repeatedPassword: string): FormProblem | undefined {
  if (currentPassword === '') return { field: 'current', text: 'Please fill in the current password field' }
  if (newPassword === '' || repeatedPassword === '')
    return { field: newPassword === '' ? 'next' : 'confirm', text: 'Please fill in both new password fields' }
  return newPassword === repeatedPassword ? undefined : { field: 'confirm', text: 'Passwords do not match' }
}

function ChangePasswordForm({ person }: { person: SignedInAccount }) {
  const identity = useIdentity()
  const changeAttempt = useAuthAction(async (currentPassword: string, newPassword: string) =>
    (await identity.open()).changePassword(currentPassword, newPassword),
  )
  const [typedPassword, setTypedPassword] = useState('')
  const [formProblem, setProblem] = useState<FormProblem>()
  const [successCount, setSuccessCount] = useState(0)
  const passwordAdvice = usePasswordPolicyCheck(typedPassword, changeAttempt)
  const fieldRefs = {
    current: useRef<HTMLInputElement>(null),
    next: useRef<HTMLInputElement>(null),
    confirm: useRef<HTMLInputElement>(null),
  }
  const createFieldProps = (fieldName: FormProblem['field']) => ({
    name: fieldName,
    ref: fieldRefs[fieldName],
    problem: formProblem?.field === fieldName ? formProblem.text : undefined,
  })
  const hideSuccess = useCallback(() => setSuccessCount(0), [])
  const clearProblem = () => setProblem(undefined)
  return (
    <div className={styles.column}>
      <AuthForm
        attempt={changeAttempt}
        submitLabel="Change password"
        advice={passwordAdvice}
        message={
          successCount > 0 && (
            <TransientMessage
              key={successCount}
              kind="good"
              text="Password updated successfully. This will take effect the next time you log in."
              onHide={hideSuccess}
            />
          )
        }
        onSubmit={async (formData, form) => {
          const [currentPassword, newPassword, repeatedPassword] = [
            readFieldText(formData, 'current'),
            readFieldText(formData, 'next'),
            readFieldText(formData, 'confirm'),
          ]
          const problemCode = validatePasswords(currentPassword, newPassword, repeatedPassword)
          setProblem(problemCode)
          if (problemCode) return fieldRefs[problemCode.field].current?.focus()
          if (!(await changeAttempt.run(currentPassword, newPassword))) return
          form.reset()
          setTypedPassword('')
          setSuccessCount((count) => count + 1)
        }}
      >
        {/* The username of the password, for password managers. */}
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <PasswordField label="Current password" autoComplete="current-password" {...createFieldProps('current')} onInput={clearProblem} />
        <NewPasswordField
          label="New password"
          {...createFieldProps('next')}
          advice={passwordAdvice}
          onPassword={(password) => {
            clearProblem()
            setTypedPassword(password)
          }}
        />
        <PasswordField label="Confirm new password" autoComplete="new-password" {...createFieldProps('confirm')} onInput={clearProblem} />
      </AuthForm>
    </div>
  )
}
