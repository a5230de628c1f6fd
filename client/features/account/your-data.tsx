import { useState } from 'react'
import { useAttempt } from '../../bindings/account.ts'
import type { Person } from '../../bindings/identity.ts'
import { useDeleteAccount, useExportAccount } from '../../bindings/your-data.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { AuthForm, textOf } from './auth-form.tsx'
import styles from './dashboard-page.module.css'

/** All that is stored about a person, to take along or to have removed. */
export function YourData({ person, onDeleted }: { person: Person; onDeleted: () => void }) {
  const [asking, setAsking] = useState(false)
  const exportAccount = useExportAccount()
  const save = useAttempt(exportAccount)
  const toast = useToast()
  return (
    <section className={styles.section} aria-labelledby="data-heading">
      <SectionHeading id="data-heading">Your data</SectionHeading>
      <div>
        <div className={styles.row}>
          <div>
            <strong>Download your data</strong>
            <span className={typeStyles.muted}>All that is stored about you, as a JSON file.</span>
          </div>
          <Key
            icon="download"
            variant="flat"
            busy={save.busy}
            onClick={() => {
              void save.run().then((saved) => {
                if (!saved) toast({ kind: 'bad', text: 'Your data could not be fetched. Try again in a moment.' })
              })
            }}
          >
            Download
          </Key>
        </div>
        <div className={styles.row}>
          <div>
            <strong>Delete your account</strong>
            <span className={typeStyles.muted}>With all that belongs to it, for good.</span>
          </div>
          <Key icon="trash" variant="flat" onClick={() => setAsking(true)}>
            Delete account
          </Key>
        </div>
      </div>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Delete your account?">
        <DeleteForm person={person} onDeleted={onDeleted} onCancel={() => setAsking(false)} />
      </Dialog>
    </section>
  )
}

function DeleteForm({ person, onDeleted, onCancel }: { person: Person; onDeleted: () => void; onCancel: () => void }) {
  const deleteAccount = useDeleteAccount()
  const remove = useAttempt(deleteAccount)
  return (
    <div className={styles.form}>
      <p className={typeStyles.muted}>
        The account {person.email}, its favorites and all else that belongs to it are removed at once. There is no way back.
      </p>
      <AuthForm
        attempt={remove}
        action="Delete for good"
        onSubmit={async (fields) => {
          if (await remove.run(textOf(fields, 'password'))) onDeleted()
        }}
      >
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <PasswordField label="Current password" name="password" autoComplete="current-password" required />
      </AuthForm>
      <Key variant="flat" onClick={onCancel}>
        Keep my account
      </Key>
    </div>
  )
}
