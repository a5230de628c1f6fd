import { localStore } from '../../platform/web-storage.ts'

const STORAGE_KEY = 'varispeed.radio.heard'

/** The song that the radio of this host played last on this device. */
export interface RadioSong {
  youtube_id: string
  title: string
  author_name: string
}

export function readLastSong(): RadioSong | undefined {
  const value = localStore.readJson(STORAGE_KEY)
  return isRadioSong(value) ? value : undefined
}

/** Stores the song. If storage is not available, an offline start of the radio shows no song. */
export const storeLastSong = ({ youtube_id, title, author_name }: RadioSong): void =>
  void localStore.write(STORAGE_KEY, JSON.stringify({ youtube_id, title, author_name }))

const isRadioSong = (storedValue: unknown): storedValue is RadioSong =>
  typeof storedValue === 'object' &&
  storedValue !== null &&
  'youtube_id' in storedValue &&
  typeof storedValue.youtube_id === 'string' &&
  'title' in storedValue &&
  typeof storedValue.title === 'string' &&
  'author_name' in storedValue &&
  typeof storedValue.author_name === 'string'
