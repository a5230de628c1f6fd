import type { Song } from '../../contract/song.ts'
import { emptyQueue, type Links, type QueueState } from './queue.ts'

/** What a reload must not lose. */
export interface Session {
  queue: QueueState
  contextId: string | undefined
  contextTitle: string
  positionSeconds: number
}

export interface Volume {
  volume: number
  muted: boolean
}

export interface SessionStore {
  read(): Session | undefined
  write(session: Session): void
  readVolume(): Volume
  writeVolume(volume: Volume): void
}

const SESSION_KEY = 'varispeed.player'
const VOLUME_KEY = 'varispeed.volume'
const VERSION = 1
// A few screens of queue; the rest of the context is read from the catalogue when the song plays on.
const KEPT_ENTRIES = 100
const KEPT_HISTORY = 30

interface Stored {
  version: number
  current: Song
  anchorId?: string | undefined
  links?: Links | undefined
  entries: { song: Song; queued: boolean }[]
  tailId?: string | undefined
  history: Song[]
  loop: boolean
  shuffle: boolean
  cleared: boolean
  contextId?: string | undefined
  contextTitle: string
  positionSeconds: number
}

/** Keeps the session in the browser's storage. A storage that refuses, or holds what it should not, loses the session only. */
export function createSessionStore(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): SessionStore {
  function get(key: string): unknown {
    try {
      return JSON.parse(storage?.getItem(key) ?? 'null')
    } catch {
      return undefined
    }
  }
  function set(key: string, value: object) {
    try {
      storage?.setItem(key, JSON.stringify(value))
    } catch {
      // Full or refused: the page plays on, and a reload starts empty.
    }
  }

  return {
    read() {
      const stored = get(SESSION_KEY)
      return isStored(stored) ? toSession(stored) : undefined
    },
    write(session) {
      const stored = fromSession(session)
      if (stored) set(SESSION_KEY, stored)
    },
    readVolume() {
      const stored = get(VOLUME_KEY)
      if (!isObject(stored)) return { volume: 1, muted: false }
      const volume = typeof stored.volume === 'number' ? Math.min(1, Math.max(0, stored.volume)) : 1
      return { volume, muted: stored.muted === true }
    },
    writeVolume: (volume) => set(VOLUME_KEY, volume),
  }
}

function fromSession({ queue, contextId, contextTitle, positionSeconds }: Session): Stored | undefined {
  if (!queue.current) return undefined
  const entries = queue.entries.slice(0, KEPT_ENTRIES)
  const lastOfContext = entries.findLast((entry) => !entry.queued)?.song.youtube_id ?? queue.anchorId
  // Left out here, or not yet known when the page was left.
  const missing = queue.entries.length > entries.length || queue.context.songs.length === 0
  return {
    version: VERSION,
    current: queue.current,
    anchorId: queue.anchorId,
    links: queue.links,
    entries: entries.map(({ song, queued }) => ({ song, queued })),
    tailId: queue.restored ? queue.restored.tailId : missing ? lastOfContext : undefined,
    history: queue.history.slice(-KEPT_HISTORY),
    loop: queue.loop,
    shuffle: queue.shuffle,
    cleared: queue.cleared,
    contextId,
    contextTitle,
    positionSeconds,
  }
}

function toSession(stored: Stored): Session {
  const queue: QueueState = {
    ...emptyQueue,
    current: stored.current,
    anchorId: stored.anchorId,
    links: stored.links,
    entries: stored.entries.map(({ song, queued }, index) => ({ key: index + 1, song, queued })),
    history: stored.history,
    loop: stored.loop,
    shuffle: stored.shuffle,
    cleared: stored.cleared,
    restored: { tailId: stored.tailId },
    nextKey: stored.entries.length + 1,
  }
  return { queue, contextId: stored.contextId, contextTitle: stored.contextTitle, positionSeconds: stored.positionSeconds }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isText = (value: unknown) => typeof value === 'string'
const isOptionalText = (value: unknown) => value === undefined || isText(value)

function isSong(value: unknown): value is Song {
  return (
    isObject(value) &&
    (value.duration === undefined || Number.isFinite(value.duration)) &&
    ['youtube_id', 'youtube_url', 'title', 'author_name', 'category_id', 'category_name', 'date_added'].every((key) => isText(value[key]))
  )
}

function isLinks(value: unknown): value is Links {
  return isObject(value) && isText(value.next) && isOptionalText(value.previous)
}

function isStored(value: unknown): value is Stored {
  if (!isObject(value) || value.version !== VERSION) return false
  const { entries, history, links } = value
  return (
    isSong(value.current) &&
    [value.anchorId, value.tailId, value.contextId].every(isOptionalText) &&
    (links === undefined || isLinks(links)) &&
    Array.isArray(entries) &&
    entries.every((entry) => isObject(entry) && isSong(entry.song) && typeof entry.queued === 'boolean') &&
    Array.isArray(history) &&
    history.every(isSong) &&
    ['loop', 'shuffle', 'cleared'].every((key) => typeof value[key] === 'boolean') &&
    isText(value.contextTitle) &&
    typeof value.positionSeconds === 'number'
  )
}
