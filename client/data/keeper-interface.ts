import type { Live } from './live.ts'
import type { KeptRow } from './store.ts'

/** A playlist on its way onto this device. */
export interface Keeping {
  done: number
  /** 0 as long as it is not known. */
  total: number
  /** It waits: `offline` goes on by itself, `full` when a person has made room. */
  halted?: 'offline' | 'full' | 'failed'
}

/** The playlists that a person chose to keep for the time without a connection. */
export interface Keeper {
  readonly kept: Live<KeptRow[]>
  /** What is under way, by playlist id. A new map for each change. */
  progress(): ReadonlyMap<string, Keeping>
  onProgress(listener: () => void): () => void
  /** Fetches songs and pictures, those that are not here yet; resolves when it is done or halted. */
  keep(id: string, title: string): Promise<void>
  /** Ends what is under way, and frees what no other kept playlist needs. */
  remove(id: string): Promise<void>
  /** Goes on with what a reload or a lost connection has cut short. */
  resume(): Promise<void>
}
