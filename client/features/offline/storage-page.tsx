import { useState } from 'react'
import { useChangeToast } from '../../components/use-change-toast.ts'
import {
  type PinnedPlaylistRow,
  useDatabaseHealth,
  useLocalPlaylists,
  usePinnedPlaylists,
  usePinningBlockReason,
} from '../../hooks/offline.ts'
import { createPlaylistPath } from '../../hooks/paths.ts'
import { useOfflineReady } from '../../hooks/update.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes, formatPlural } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { EmptyState, Notice } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { OutboxList } from './outbox-list.tsx'
import styles from './storage-page.module.css'
import { type DeviceSpace, type StorageState, useStorage } from './use-storage.ts'

/**
 * The page about locally stored data: space, unsent changes, downloaded playlists, the listening history, the maker's edits and the cache.
 */
export function StoragePage() {
  const storage = useStorage()
  const pinnedPlaylists = usePinnedPlaylists()
  const blockReason = usePinningBlockReason()
  const [pageElement, setPageElement] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(pageElement)
  return (
    <div ref={setPageElement} className={classNames(typeStyles.wrap, styles.page)} tabIndex={-1}>
      <SectionHeading level={1}>Storage</SectionHeading>
      {/* The sections are rendered immediately when all data is read, so that they do not shift. */}
      {storage.space && pinnedPlaylists ? (
        <>
          <BrowserLimits storage={storage} />
          <SpaceUsage space={storage.space} persist={storage.requestPersistence} />
          <OutboxList />
          {(pinnedPlaylists.length > 0 || !blockReason) && <PinnedPlaylists pinned={pinnedPlaylists} storage={storage} />}
          {storage.hasPlays && <StoredPlays storage={storage} />}
          {storage.makerBytes > 0 && <MakerEdits storage={storage} />}
          <CacheSection storage={storage} />
        </>
      ) : (
        <div aria-busy="true" />
      )}
    </div>
  )
}

function SpaceUsage({ space, persist: requestPersistentStorage }: { space: DeviceSpace; persist: StorageState['requestPersistence'] }) {
  const toast = useToast()
  const requestPersistence = async () => {
    if (!(await requestPersistentStorage()))
      toast({ text: 'Your browser said no. It often agrees once the site is installed or used a lot.', kind: 'plain', durationMs: 8000 })
  }
  const blockReason = usePinningBlockReason()
  const { usedBytes } = space
  // The quota is meaningless if the browser refuses to store data.
  const { availableBytes, persisted } = blockReason ? {} : space
  const totalBytes = availableBytes === undefined ? 0 : (usedBytes ?? 0) + availableBytes
  return (
    <section className={styles.space} aria-label="Space">
      {usedBytes !== undefined && (
        <dl className={styles.figures}>
          <div>
            <dt className={typeStyles.legend}>Used by this site</dt>
            <dd className={typeStyles.figure}>{formatBytes(usedBytes)}</dd>
          </div>
          {availableBytes !== undefined && (
            <div>
              <dt className={typeStyles.legend}>Available</dt>
              <dd className={typeStyles.figure}>{formatBytes(availableBytes)}</dd>
            </div>
          )}
        </dl>
      )}
      {totalBytes > 0 && (
        <div className={styles.usageBar}>
          <div className={styles.used} style={{ width: `${(100 * (usedBytes ?? 0)) / totalBytes}%` }} />
        </div>
      )}
      {persisted !== undefined && (
        <div className={styles.line}>
          <p>{persisted ? <>The browser keeps it until you remove it.</> : <>Your browser may delete this when space runs low.</>}</p>
          {!persisted && (
            <Button variant="tertiary" onClick={() => void requestPersistence()}>
              Keep it
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function PinnedPlaylists({ pinned, storage }: { pinned: readonly PinnedPlaylistRow[]; storage: StorageState }) {
  return (
    <section>
      <SectionHeading endContent={<span className={typeStyles.mono}>{pinned.length > 0 && formatPlural(pinned.length, 'playlist')}</span>}>
        Kept offline
      </SectionHeading>
      {pinned.length === 0 ? (
        <EmptyState
          title="Nothing kept yet"
          text="Open a playlist and press 'Keep offline': its list and pictures then stay on this device. The videos always need a connection."
          headingLevel={3}
          action={<Button to="/playlists">Browse playlists</Button>}
        />
      ) : (
        <ul className={styles.rows}>
          {pinned.map((row, index) => (
            <li key={row.id} className={styles.row} data-index={index}>
              <a className={styles.title} href={createPlaylistPath(row.id)}>
                {row.title}
              </a>
              <span className={classNames(typeStyles.mono, typeStyles.muted)}>
                {row.state === 'done' ? formatPlural(row.songCount, 'song') : 'Not complete'}
              </span>
              <span className={classNames(typeStyles.mono, styles.size)}>{formatBytes(row.rowBytes + row.pictureBytes)}</span>
              <RemoveButton title={row.title} remove={() => storage.unpinPlaylist(row.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RemoveButton({ title, remove }: { title: string; remove: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false)
  const removeItem = () => {
    setBusy(true)
    void remove().finally(() => setBusy(false))
  }
  return (
    <Button variant="tertiary" icon="trash" busy={isBusy} onClick={removeItem}>
      Remove<span className={typeStyles.hidden}> {title}</span>
    </Button>
  )
}

function MakerEdits({ storage }: { storage: StorageState }) {
  return (
    <section>
      <SectionHeading>In the maker</SectionHeading>
      <div className={styles.line}>
        <p>
          Your songs and edits, {formatBytes(storage.makerBytes)}. <span className={typeStyles.muted}>They never leave this device.</span>
        </p>
        <RemoveButton title="all edits in the maker" remove={storage.removeEdits} />
      </div>
    </section>
  )
}

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000

function StoredPlays({ storage }: { storage: StorageState }) {
  const toast = useChangeToast()
  const reportFailure = () => void toast({ kind: 'bad', text: 'This device could not store the change.' })
  const clearHistory = () =>
    storage.clearPlays().then(
      (undoClear) =>
        void toast({
          text: 'Your history is cleared.',
          kind: 'good',
          durationMs: UNDO_OFFERED_MS,
          action: { label: 'Undo', onSelect: () => void undoClear().catch(reportFailure) },
        }),
      reportFailure,
    )
  return (
    <section>
      <SectionHeading>Played here</SectionHeading>
      <div className={styles.line}>
        <p>
          The songs of{' '}
          <a className={styles.textLink} href="/recent">
            Recently played
          </a>{' '}
          and{' '}
          <a className={styles.textLink} href="/year">
            Your year
          </a>
          . <span className={typeStyles.muted}>They never leave this device.</span>
        </p>
        <RemoveButton title="what you played here" remove={clearHistory} />
      </div>
    </section>
  )
}

function CacheSection({ storage }: { storage: StorageState }) {
  const localPlaylists = useLocalPlaylists()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const playlistCount = localPlaylists?.filter(({ pinned }) => !pinned).length ?? 0
  const isStorageEmpty = playlistCount === 0 && storage.seenPictureCount === 0
  // If the device was full, clearing the cache also makes the database check for free space again.
  const isDiskFull = useDatabaseHealth() === 'full'
  const clearCache = async () => {
    setBusy(true)
    try {
      await storage.clearCache()
      toast({ text: 'Cache cleared. Playlists kept offline are still here.', kind: 'good' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <SectionHeading>Opened before</SectionHeading>
      <div className={styles.line}>
        <p>
          {isStorageEmpty ? (
            'Nothing else is stored.'
          ) : (
            <>
              {playlistCount > 0 && `${formatPlural(playlistCount, 'playlist')} and `}
              {formatPlural(storage.seenPictureCount, 'picture')} you have seen, and the songs you found.{' '}
              <span className={typeStyles.muted}>Oldest are removed first.</span>
            </>
          )}
        </p>
        <Button
          variant="tertiary"
          icon="trash"
          busy={isBusy}
          disabled={isStorageEmpty && !isDiskFull && !isBusy}
          onClick={() => void clearCache()}
        >
          Clear cache
        </Button>
      </div>
    </section>
  )
}

/** Lists limitations of this browser and its database. */
function BrowserLimits({ storage }: { storage: StorageState }) {
  const databaseHealth = useDatabaseHealth()
  const offlineReady = useOfflineReady()
  const limitTexts = [
    ...(databaseHealth === 'full' ? ['This device is full: remove a kept playlist or clear the cache to store pages again.'] : []),
    ...(databaseHealth === 'refused'
      ? ['This browser gives the site no database, as in a private window: playlists and search work online only.']
      : []),
    ...(databaseHealth === 'blocked' ? ['Another tab has an older version of this site open. Close it and reload this page.'] : []),
    ...(databaseHealth === 'outdated'
      ? ['A newer version of this site has run here. This one shows what is stored, but stores nothing new. Reload for the newer one.']
      : []),
    ...(!storage.canStartOffline || offlineReady.state === 'unsupported'
      ? ['This browser cannot start the site without a connection.']
      : []),
    ...(offlineReady.state === 'failed'
      ? ["Offline support could not be installed here. Pages work online, and we'll try again on your next visit."]
      : []),
    ...(storage.hasCacheStorage ? [] : ['This browser cannot store pictures.']),
  ]
  return limitTexts.map((limitText) => (
    <Notice key={limitText} icon="warning">
      {limitText}
    </Notice>
  ))
}
