import { useState } from 'react'
import { useAccountInfo } from '../../hooks/account-data.ts'
import type { SignedInAccount } from '../../hooks/identity.ts'
import { useSite } from '../../hooks/services.tsx'
import { readFieldText } from '../../primitives/field-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { formatLongDate } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { AuthForm } from './auth-form.tsx'
import styles from './dashboard-page.module.css'
import { useAuthAction } from './use-account.ts'
import { useDeleteAccount, useExportAccountData } from './use-your-data.ts'

/** Buttons to download all data of the account and to delete the account. */
export function AccountDataPanel({ person, onDeleted }: { person: SignedInAccount; onDeleted: () => void }) {
  const [isConfirmingDeletion, setConfirming] = useState(false)
  const exportAccount = useExportAccountData()
  const exportAttempt = useAuthAction(exportAccount)
  const toast = useToast()
  return (
    <section className={styles.section} aria-labelledby="data-heading">
      <SectionHeading id="data-heading" size="small">
        Your data
      </SectionHeading>
      <div className={styles.card}>
        <div className={styles.row}>
          <div>
            <strong>Download your data</strong>
            <span className={typeStyles.muted}>Everything we store about you, as a JSON file.</span>
          </div>
          <Button
            icon="download"
            variant="tertiary"
            busy={exportAttempt.busy}
            onClick={() => {
              void exportAttempt.run().then((isSaved) => {
                if (!isSaved) toast({ kind: 'bad', text: 'Your data could not be fetched. Try again in a moment.' })
              })
            }}
          >
            Download
          </Button>
        </div>
        <div className={styles.row}>
          <div>
            <strong>Delete your account</strong>
            <span className={typeStyles.muted}>Including everything in it. This cannot be undone.</span>
          </div>
          <Button icon="trash" variant="tertiary" onClick={() => setConfirming(true)}>
            Delete account
          </Button>
        </div>
      </div>
      <Dialog open={isConfirmingDeletion} onClose={() => setConfirming(false)} title="Delete your account?">
        <DeleteForm person={person} onDeleted={onDeleted} onCancel={() => setConfirming(false)} />
      </Dialog>
    </section>
  )
}

function DeleteForm({ person, onDeleted, onCancel }: { person: SignedInAccount; onDeleted: () => void; onCancel: () => void }) {
  const deleteAccount = useDeleteAccount()
  const deletionAttempt = useAuthAction(deleteAccount)
  return (
    <div className={styles.form}>
      <p className={typeStyles.muted}>
        The account {person.email}, its favorites and everything else in it are removed at once. What you paid for stays with the email
        address. This cannot be undone.
      </p>
      <RunningSubscription uid={person.uid} />
      <AuthForm
        attempt={deletionAttempt}
        submitLabel="Delete for good"
        isDestructive
        onSubmit={async (fields) => {
          if (await deletionAttempt.run(readFieldText(fields, 'password'))) onDeleted()
        }}
      >
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <PasswordField label="Current password" name="password" autoComplete="current-password" required />
      </AuthForm>
      <Button variant="tertiary" onClick={onCancel}>
        Keep my account
      </Button>
    </div>
  )
}

/** Warns that the card is or can be charged again after the account is deleted, unless the subscription is ended first. */
function RunningSubscription({ uid }: { uid: string }) {
  const { settings } = useSite()
  const { data } = useAccountInfo(uid)
  const renewingGrant = data?.grants?.find(({ role, renews }) => role === 'subscriber' && renews)
  const renewalTime = renewingGrant?.until
  if (renewalTime === undefined && data?.interrupted === undefined) return null
  return (
    <Notice kind="bad">
      Your card {renewalTime === undefined ? 'can be charged again' : `is charged again on ${formatLongDate(renewalTime)}`} unless you end
      your subscription first:{' '}
      {settings.CUSTOMER_PORTAL === '' ? (
        <a className={typeStyles.link} href="/get-in-touch?topic=other">
          Write to us
        </a>
      ) : (
        <a className={typeStyles.link} href={settings.CUSTOMER_PORTAL} target="_blank" rel="noopener noreferrer">
          Manage
        </a>
      )}
    </Notice>
  )
}
