import { useEffect, useRef, useState } from 'react'
import type { Login } from '../../../contract/account.ts'
import { TransientMessage } from '../../components/transient-message.tsx'
import { type AccountAction, describeCallError, useAccountAction, useAccountData } from '../../hooks/account-data.ts'
import { useSite } from '../../hooks/services.tsx'
import { useSignOut } from '../../hooks/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { formatLongDate } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dashboard-page.module.css'

/**
 * Lists the account's logins, this device's first, with buttons that end another login or all of them. Not shown with a Firebase project, which does
 * not list its logins.
 */
export function LoginsPanel() {
  const { firebase } = useSite()
  return firebase ? null : <Logins />
}

function Logins() {
  const { data, error, reload } = useAccountData('GET /account/logins', {})
  const endLogin = useAccountAction((api, id: string) => api.call('POST /account/end_login', { id }))
  const endOtherLogins = useAccountAction((api) => api.call('POST /account/end_logins', { others_only: true }))
  const signOut = useSignOut()
  const toast = useToast()
  const [endingLoginId, setEndingId] = useState<string>()
  const sectionElement = useRef<HTMLElement>(null)
  /** The index of the pressed button among the buttons of the rows. */
  const pressedLoginIndex = useRef<number>(undefined)
  // If the pressed button was removed, the focus moves to the button in its place, or else to the section, but never to 'Sign out
  // everywhere'.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows have changed.
  useEffect(() => {
    if (pressedLoginIndex.current === undefined || document.activeElement !== document.body) return
    const rowButtons = [...(sectionElement.current?.querySelectorAll('button') ?? [])].slice(0, -1)
    const button = rowButtons[pressedLoginIndex.current] ?? rowButtons.at(-1)
    ;(button ?? sectionElement.current)?.focus({ preventScroll: true })
  }, [data])
  const otherLogins = data?.filter(({ current }) => !current) ?? []
  const endChosenLogin = async (login: Login) => {
    const { id, device } = login
    setEndingId(id)
    pressedLoginIndex.current = otherLogins.indexOf(login)
    if (await endLogin.run(id)) toast({ kind: 'good', text: `${device || 'The device'} was signed out.` })
    reload()
  }
  return (
    <section ref={sectionElement} tabIndex={-1} className={styles.section} aria-labelledby="logins-heading">
      <SectionHeading id="logins-heading" size="small">
        Where you are logged in
      </SectionHeading>
      <EndLoginFailure result={endLogin.result} />
      <EndLoginFailure result={endOtherLogins.result} />
      <div className={styles.card} data-unstored="">
        {data
          ?.toSorted((a, b) => Number(b.current) - Number(a.current))
          .map((login) => (
            <div key={login.id} className={styles.row}>
              <div>
                <strong>{login.device || 'Unknown device'}</strong>
                <span className={typeStyles.muted}>{describeLogin(login)}</span>
              </div>
              {!login.current && (
                <Button variant="tertiary" busy={endLogin.busy && endingLoginId === login.id} onClick={() => void endChosenLogin(login)}>
                  Sign out there
                </Button>
              )}
            </div>
          ))}
        {data ? (
          <div key="all" className={styles.row}>
            <div>
              <strong>{data.length > 1 ? 'All devices' : 'No other devices'}</strong>
              <span className={typeStyles.muted}>Devices not used for 180 days are signed out automatically.</span>
            </div>
            <Button
              icon="leave"
              variant="tertiary"
              busy={endOtherLogins.busy}
              onClick={() => {
                void endOtherLogins.run().then((isDone) => isDone && signOut())
              }}
            >
              Sign out everywhere
            </Button>
          </div>
        ) : (
          // The row has a key of its own. Without it, React would turn the focused Retry button into 'Sign out everywhere', and the next
          // Enter would press that.
          <div key="none" className={styles.row}>
            <div>
              <strong>{error ? 'Unknown right now' : 'Loading...'}</strong>
              <span className={typeStyles.muted}>{error && describeCallError(error)}</span>
            </div>
            {error && (
              <Button
                icon="loop"
                onClick={() => {
                  pressedLoginIndex.current = 0
                  reload()
                }}
              >
                Retry
              </Button>
            )}
          </div>
        )}
      </div>
    </section>
  )
}

/** The message about a failed sign-out of other devices. A login that is unknown has ended, so that no message is needed. */
function EndLoginFailure({ result }: Pick<AccountAction<never[]>, 'result'>) {
  if (!result?.error || result.error.code === 404) return null
  return <TransientMessage key={result.count} kind="bad" text={describeCallError(result.error)} />
}

function describeLogin({ current, network, created, last_used }: Login): string {
  const use = current ? 'This device' : `Last used on ${formatLongDate(last_used)}`
  return [use, network && `network ${network}`, `logged in on ${formatLongDate(created)}`].filter((text) => text !== '').join(' · ')
}
