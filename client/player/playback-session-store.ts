import type { Song } from '../../contract/song.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import { readStoredAccount } from '../platform/identity.ts'
import { DEVICE_OWNER_KEY, type WebStorage } from '../platform/web-storage.ts'
import { emptyQueue, type NeighbourSongIds, type QueueState, type SongOrigin } from './queue.ts'
import { SESSION_KEY } from './stored-session-check.ts'

/** The part of the player's state that is restored after a reload. */
export interface PlaybackSession {
  queue: QueueState
  contextId: string | undefined
  contextTitle: string
  positionSeconds: number
  /** Whether the play of the current song was counted, so that it is not counted again when it is resumed. Absent: it was not. */
  isPlayCounted?: boolean | undefined
}

export interface VolumeState {
  volume: number
  muted: boolean
}

const VOLUME_KEY = 'varispeed.volume'
/** The key in `localStore` of whether related songs follow the last song of the queue. */
export const ENDLESS_KEY = 'varispeed.endless'
const SESSION_VERSION = 1
// The maximum number of stored songs, a few screens of the queue. The other songs of the context are loaded from the catalogue when
// playback starts.
const STORED_ENTRY_COUNT = 100
const STORED_HISTORY_COUNT = 30

interface StoredSession {
  version: number
  current: Song
  currentOrigin?: SongOrigin
  anchorId?: string | undefined
  /** This field and `tailIndex` are absent in sessions that older versions have stored. */
  anchorIndex?: number
  links?: NeighbourSongIds | undefined
  entries: { song: Song; queued: boolean; related?: boolean | undefined }[]
  tailId?: string | undefined
  tailIndex?: number | undefined
  history: (Song & SongOrigin)[]
  /** This field, `currentOrigin` and `isSongRadio` are absent in sessions that older versions have stored. */
  recentIds?: string[]
  isSongRadio?: boolean
  /** Whether no related song follows, because the queue was cleared. If absent, as in older sessions, none follows a cleared queue. */
  isExhausted?: boolean
  loop: boolean
  shuffle: boolean
  cleared: boolean
  contextId?: string | undefined
  contextTitle: string
  positionSeconds: number
  /** This field is absent in sessions that older versions have stored. */
  isPlayCounted?: boolean | undefined
}

/** Stores the playback session and the volume in the browser's storage. A storage error or an invalid value only loses the session. */
export function createPlaybackSessionStore(storage: WebStorage) {
  const readSignedInUid = () => readStoredAccount(storage)?.uid ?? ANONYMOUS_UID
  return {
    readSignedInUid,
    /** Returns no session of an account that has signed out and whose removal from this device was interrupted (`client/app/account-cleanup.ts`). */
    read() {
      if (![null, ANONYMOUS_UID, readSignedInUid()].includes(storage.read(DEVICE_OWNER_KEY))) return undefined
      const storedItem = storage.readJson(SESSION_KEY)
      return isStoredSession(storedItem) ? toSession(storedItem) : undefined
    },
    write(session: PlaybackSession) {
      const storedItem = toStoredSession(session)
      // If the session cannot be stored, the player is empty after a reload.
      if (storedItem) storage.write(SESSION_KEY, JSON.stringify(storedItem))
    },
    readVolume() {
      const storedItem = storage.readJson(VOLUME_KEY)
      if (!isRecordObject(storedItem)) return { volume: 1, muted: false }
      const volume = typeof storedItem.volume === 'number' ? Math.min(1, Math.max(0, storedItem.volume)) : 1
      return { volume, muted: storedItem.muted === true }
    },
    /** Returns whether related songs follow the last song of the queue on this device. */
    readEndless: () => storage.read(ENDLESS_KEY) !== null,
    writeEndless: (endless: boolean) => void storage.write(ENDLESS_KEY, endless ? 'on' : undefined),
    writeVolume: (volume: VolumeState) => void storage.write(VOLUME_KEY, JSON.stringify(volume)),
  }
}

export type PlaybackSessionStore = ReturnType<typeof createPlaybackSessionStore>

function toStoredSession({ queue, contextId, contextTitle, positionSeconds, isPlayCounted }: PlaybackSession): StoredSession | undefined {
  if (!queue.current) return undefined
  const storedEntries = queue.entries.slice(0, STORED_ENTRY_COUNT)
  const lastContextSongId = storedEntries.findLast((entry) => !entry.queued && !entry.related)?.song.youtube_id ?? queue.anchorId
  const missingCount = queue.entries.length - storedEntries.length
  // The context has songs that are not stored in the session, or its list was not loaded.
  const hasMissingSongs = missingCount > 0 || queue.context.songs.length === 0
  const tail = queue.restored ?? {
    tailId: hasMissingSongs ? lastContextSongId : undefined,
    tailIndex: missingCount > 0 ? queue.context.songs.length - missingCount - 1 : queue.anchorIndex,
  }
  return {
    version: SESSION_VERSION,
    current: queue.current,
    currentOrigin: queue.currentOrigin,
    anchorId: queue.anchorId,
    anchorIndex: queue.anchorIndex,
    links: queue.links,
    entries: storedEntries.map(({ song, queued, related }) => ({ song, queued, related })),
    ...tail,
    history: queue.history.slice(-STORED_HISTORY_COUNT),
    recentIds: [...queue.recentSongIds],
    isSongRadio: queue.isSongRadio,
    isExhausted: queue.cleared && queue.isExhausted,
    loop: queue.loop,
    shuffle: queue.shuffle,
    cleared: queue.cleared,
    contextId,
    contextTitle,
    positionSeconds,
    isPlayCounted,
  }
}

function toSession({
  version: _,
  entries,
  tailId,
  tailIndex,
  recentIds = [],
  contextId,
  contextTitle,
  positionSeconds,
  isPlayCounted,
  ...queueFields
}: StoredSession): PlaybackSession {
  const queueState: QueueState = {
    ...emptyQueue,
    ...queueFields,
    currentOrigin: queueFields.currentOrigin ?? {},
    entries: entries.map((entry, index) => ({ ...entry, key: index + 1 })),
    recentSongIds: recentIds,
    isSongRadio: queueFields.isSongRadio === true,
    isExhausted: queueFields.isExhausted ?? queueFields.cleared,
    restored: { tailId, tailIndex },
    nextEntryKey: entries.length + 1,
  }
  return { queue: queueState, contextId, contextTitle, positionSeconds, isPlayCounted }
}

const isRecordObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isStringValue = (value: unknown) => typeof value === 'string'
const isOptionalStringValue = (value: unknown) => value === undefined || isStringValue(value)

function isSongObject(storedValue: unknown): storedValue is Song {
  return (
    isRecordObject(storedValue) &&
    (storedValue.duration === undefined || Number.isFinite(storedValue.duration)) &&
    ['youtube_id', 'youtube_url', 'title', 'author_name', 'category_id', 'category_name', 'date_added'].every((key) =>
      isStringValue(storedValue[key]),
    )
  )
}

function isNeighbourLinks(value: unknown): value is NeighbourSongIds {
  return isRecordObject(value) && isStringValue(value.next) && isOptionalStringValue(value.previous)
}

function isStoredSession(storedValue: unknown): storedValue is StoredSession {
  if (!isRecordObject(storedValue) || storedValue.version !== SESSION_VERSION) return false
  const { entries, history, links, recentIds = [] } = storedValue
  return (
    isSongObject(storedValue.current) &&
    [storedValue.anchorId, storedValue.tailId, storedValue.contextId].every(isOptionalStringValue) &&
    (links === undefined || isNeighbourLinks(links)) &&
    Array.isArray(entries) &&
    entries.every((entry) => isRecordObject(entry) && isSongObject(entry.song) && typeof entry.queued === 'boolean') &&
    Array.isArray(history) &&
    history.every(isSongObject) &&
    Array.isArray(recentIds) &&
    recentIds.every(isStringValue) &&
    ['loop', 'shuffle', 'cleared'].every((key) => typeof storedValue[key] === 'boolean') &&
    isStringValue(storedValue.contextTitle) &&
    typeof storedValue.positionSeconds === 'number'
  )
}
