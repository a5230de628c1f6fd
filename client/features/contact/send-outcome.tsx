import { useDatabaseHealth, useDeviceOffline, useServerUnreachable } from '../../hooks/offline.ts'
import { Notice } from '../../ui/states.tsx'
import type { ContactOutcome } from './use-contact.ts'

interface SendOutcomeProps {
  outcome: ContactOutcome
  /** Whether the request still waits in the outbox. */
  isWaiting: boolean
}

/** Reports the outcome of the last attempt to send. */
export function SendOutcome({ outcome, isWaiting }: SendOutcomeProps) {
  const isDeviceOffline = useDeviceOffline()
  const isServerUnreachable = useServerUnreachable()
  const health = useDatabaseHealth()
  if (outcome.state === 'sent') return <Notice kind="good">Your request has been sent successfully!</Notice>
  if (outcome.state === 'refused') return <Notice kind="bad">{outcome.message || 'The site did not accept your request.'}</Notice>
  if (outcome.state === 'unstorable')
    return <Notice kind="bad">Your request could neither be sent nor kept on this device. Your text is still here: try again.</Notice>
  // A request that waited is reported above the form once it is sent or refused.
  if (!isWaiting) return null
  const isOnDisk = health === 'persistent' || health === 'restarted'
  return (
    <Notice icon="offline">
      {isDeviceOffline && 'You are offline. '}
      {isServerUnreachable && 'The site does not answer. '}
      {isOnDisk
        ? 'Your request is kept on this device, and sent once the site is open here with a connection.'
        : 'Your request is kept as long as this page is open, and sent with the next connection.'}
    </Notice>
  )
}
