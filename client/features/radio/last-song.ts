const STORAGE_KEY = 'varispeed.radio.heard'

/** The song that was heard last on the radio of this host. */
export interface HeardSong {
  youtube_id: string
  title: string
  author_name: string
}

export function readLastHeard(): HeardSong | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
    return isHeardSong(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function storeLastHeard({ youtube_id, title, author_name }: HeardSong): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ youtube_id, title, author_name }))
  } catch {
    // Without storage, a start without a connection names no song.
  }
}

const isHeardSong = (value: unknown): value is HeardSong =>
  typeof value === 'object' &&
  value !== null &&
  'youtube_id' in value &&
  typeof value.youtube_id === 'string' &&
  'title' in value &&
  typeof value.title === 'string' &&
  'author_name' in value &&
  typeof value.author_name === 'string'
