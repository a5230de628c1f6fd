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

const isRadioSong = (value: unknown): value is RadioSong =>
  typeof value === 'object' &&
  value !== null &&
  'youtube_id' in value &&
  typeof value.youtube_id === 'string' &&
  'title' in value &&
  typeof value.title === 'string' &&
  'author_name' in value &&
  typeof value.author_name === 'string'
