import type { ReactNode } from 'react'
import type { LoadedResource } from '../hooks/catalogue.ts'
import { useDeviceOffline, useOfflinePlaylistLinks } from '../hooks/offline.ts'
import { Button } from '../ui/button.tsx'
import { OfflineLinkList } from '../ui/offline-link-list.tsx'
import { ErrorState, Notice, OfflineState } from '../ui/states.tsx'

/**
 * The texts that explain a network failure: `deviceOffline` if the device has no network, `serverUnreachable` if the site does not respond.
 */
interface NetworkFailureReasons {
  deviceOffline: string
  serverUnreachable: string
}

const NOT_CACHED_REASONS: NetworkFailureReasons = {
  deviceOffline: "You haven't opened this here before, so it needs a connection.",
  serverUnreachable: "The site isn't responding, and you haven't opened this here before.",
}

export interface LoadFailureProps {
  error: { kind: 'network' | 'api'; message: string }
  onRetry: () => void
  /** The heading above the reason of the failure. */
  title?: string
  reasons?: NetworkFailureReasons
  /** The element beside the Retry button if no page is available offline. */
  fallbackAction?: ReactNode
}

/** Replaces content that failed to load: the error message of the server, or, after a network failure, the reason and links to cached pages. */
export function LoadFailure({
  error,
  onRetry,
  title,
  reasons = NOT_CACHED_REASONS,
  fallbackAction = <Button to="/">Go back home</Button>,
}: LoadFailureProps) {
  const links = useOfflinePlaylistLinks()
  const reasonText = useDeviceOffline() ? reasons.deviceOffline : reasons.serverUnreachable
  if (error.kind === 'api') return <ErrorState title={error.message} onRetry={onRetry} />
  return (
    <>
      <OfflineState
        title={title ?? reasonText}
        {...(title !== undefined && { text: reasonText })}
        onRetry={onRetry}
        action={links.length === 0 && fallbackAction}
      />
      <OfflineLinkList title="On this device" links={links} />
    </>
  )
}

/** Notice above cached rows whose refresh the server answered with an error. Network failures are shown by the offline strip instead. */
export function StaleNotice({ loaded }: { loaded: Pick<LoadedResource<unknown>, 'stale' | 'error'> }) {
  if (!loaded.stale || loaded.error?.kind !== 'api') return null
  return <Notice icon="warning">{loaded.error.message} This is how it was on your last visit.</Notice>
}

/** Shows why rows could not be loaded, with a Retry button, or a notice that they could not be refreshed. */
export const LoadFailureOrStaleNotice = ({ loaded }: { loaded: LoadedResource<unknown> }) =>
  loaded.data === undefined && loaded.error ? <LoadFailure error={loaded.error} onRetry={loaded.retry} /> : <StaleNotice loaded={loaded} />
