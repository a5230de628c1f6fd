import { useState } from 'react'
import { type KeptRow, useKeepingRefused, useKeptPlaylists, usePlaylistsHere, useStoreHealth } from '../../bindings/offline.ts'
import { playlistPath } from '../../bindings/paths.ts'
import { type DeviceSpace, type StorageState, useStorage } from '../../bindings/storage.ts'
import { useOfflineReady } from '../../bindings/update.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes, formatPlural } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { EmptyState, Notice } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './storage-page.module.css'
import { UnsentList } from './unsent-list.tsx'

/** What this browser keeps of the site, and the ways to free it. */
export function StoragePage() {
  const storage = useStorage()
  const kept = useKeptPlaylists()
  const refused = useKeepingRefused()
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1}>Storage</SectionHeading>
      {/* All at once, so that nothing moves. */}
      {storage.space && kept ? (
        <>
          <Limits storage={storage} />
          <Space space={storage.space} persist={storage.persist} />
          <UnsentList />
          {(kept.length > 0 || !refused) && <Kept kept={kept} storage={storage} />}
          {storage.makerBytes > 0 && <Song storage={storage} />}
          <Seen storage={storage} />
        </>
      ) : (
        <div aria-busy="true" />
      )}
    </div>
  )
}

function Space({ space, persist }: { space: DeviceSpace; persist: StorageState['persist'] }) {
  const toast = useToast()
  const ask = async () => {
    if (!(await persist()))
      toast({ text: 'The browser did not agree. It often does once the site is installed or used a lot.', kind: 'plain', durationMs: 8000 })
  }
  const refused = useKeepingRefused()
  const { usedBytes } = space
  // What the browser calls available is of no use where it gives none.
  const { availableBytes, persisted } = refused ? {} : space
  const total = availableBytes === undefined ? 0 : (usedBytes ?? 0) + availableBytes
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
      {total > 0 && (
        <div className={styles.groove}>
          <div className={styles.used} style={{ width: `${(100 * (usedBytes ?? 0)) / total}%` }} />
        </div>
      )}
      {persisted !== undefined && (
        <div className={styles.line}>
          <p>
            {persisted ? (
              <>The browser keeps it until you remove it.</>
            ) : (
              <>
                When space is short, the browser may clear it. <span className={typeStyles.muted}>You can ask it not to.</span>
              </>
            )}
          </p>
          {!persisted && (
            <Key variant="flat" onClick={() => void ask()}>
              Protect
            </Key>
          )}
        </div>
      )}
    </section>
  )
}

function Kept({ kept, storage }: { kept: readonly KeptRow[]; storage: StorageState }) {
  return (
    <section>
      <SectionHeading end={<span className={typeStyles.mono}>{kept.length > 0 && formatPlural(kept.length, 'playlist')}</span>}>
        Kept offline
      </SectionHeading>
      {kept.length === 0 ? (
        <EmptyState
          title="Nothing is kept yet"
          text="Open a playlist and press 'Keep offline': its songs and pictures then stay on this device. The videos themselves always need a connection."
          headingLevel={2}
          action={<Key to="/playlists">Browse playlists</Key>}
        />
      ) : (
        <ul className={styles.rows}>
          {kept.map((row) => (
            <li key={row.id} className={styles.row}>
              <a className={styles.title} href={playlistPath(row.id)}>
                {row.title}
              </a>
              <span className={classNames(typeStyles.mono, typeStyles.muted)}>
                {row.state === 'done' ? formatPlural(row.songCount, 'song') : 'Not complete'}
              </span>
              <span className={classNames(typeStyles.mono, styles.size)}>{formatBytes(row.rowBytes + row.pictureBytes)}</span>
              <RemoveKey title={row.title} remove={() => storage.remove(row.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RemoveKey({ title, remove }: { title: string; remove: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const press = () => {
    setBusy(true)
    void remove().finally(() => setBusy(false))
  }
  return (
    <Key variant="flat" icon="trash" busy={busy} onClick={press}>
      Remove<span className={typeStyles.hidden}> {title}</span>
    </Key>
  )
}

/** What the maker keeps. */
function Song({ storage }: { storage: StorageState }) {
  return (
    <section>
      <SectionHeading>In the maker</SectionHeading>
      <div className={styles.line}>
        <p>
          Your last song with its settings, {formatBytes(storage.makerBytes)}.{' '}
          <span className={typeStyles.muted}>It never leaves this device.</span>
        </p>
        <RemoveKey title="the song in the maker" remove={storage.removeSong} />
      </div>
    </section>
  )
}

function Seen({ storage }: { storage: StorageState }) {
  const here = usePlaylistsHere()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const playlists = here?.filter(({ kept }) => !kept).length ?? 0
  const nothing = playlists === 0 && storage.seenPictures === 0
  // Where the device was full, clearing is also how the site learns that there is room again.
  const full = useStoreHealth() === 'full'
  const clear = async () => {
    setBusy(true)
    try {
      await storage.clear()
      toast({ text: 'The cache is clear. What you kept is still here.', kind: 'good' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <SectionHeading>Opened before</SectionHeading>
      <div className={styles.line}>
        <p>
          {nothing ? (
            'Nothing else is kept.'
          ) : (
            <>
              {playlists > 0 && `${formatPlural(playlists, 'playlist')} and `}
              {formatPlural(storage.seenPictures, 'picture')} that you have seen, and the songs that you found.{' '}
              <span className={typeStyles.muted}>The longest unused go by themselves.</span>
            </>
          )}
        </p>
        <Key variant="flat" icon="trash" busy={busy} disabled={nothing && !full && !busy} onClick={() => void clear()}>
          Clear cache
        </Key>
      </div>
    </section>
  )
}

/** What this browser cannot do, said once and plainly. */
function Limits({ storage }: { storage: StorageState }) {
  const health = useStoreHealth()
  const offlineReady = useOfflineReady()
  const texts = [
    ...(health === 'full' ? ['This device is full: remove a kept playlist or clear the cache, and pages are kept again.'] : []),
    ...(health === 'refused'
      ? ['This browser gives the site no database, as in a private window: playlists and search work online only.']
      : []),
    ...(health === 'blocked' ? ['Another tab of this site is of an older version. Close it and reload this page.'] : []),
    ...(health === 'outdated'
      ? [
          'A newer version of this site has been here. This one shows what is kept, and keeps nothing more; reload this page for the newer one.',
        ]
      : []),
    ...(!storage.canStartOffline || offlineReady.state === 'unsupported'
      ? ['This browser cannot start the site without a connection.']
      : []),
    ...(offlineReady.state === 'failed'
      ? [
          'The part of the site that starts without a connection could not be installed here. Pages work online; it is tried again on the next visit.',
        ]
      : []),
    ...(storage.canKeepPictures ? [] : ['This browser cannot keep pictures.']),
  ]
  return texts.map((text) => (
    <Notice key={text} icon="warning">
      {text}
    </Notice>
  ))
}
