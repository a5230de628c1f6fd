import { KEPT_PICTURES, SEEN_PICTURES } from '../../contract/caches.ts'

/** Asks the browser to keep what is stored even when space is short. Gives whether it will. */
export async function askToPersist(): Promise<boolean> {
  const manager: StorageManager | undefined = navigator.storage
  return (await manager?.persist?.().catch(() => false)) ?? false
}

export const canKeepPictures = (): boolean => 'caches' in globalThis

/** The site answered, though not with the picture. */
export class NoPicture extends Error {
  override readonly name = 'NoPicture'
}

/** As images ask for it: the header decides about the format. */
const IMAGE_TYPES = 'image/webp,image/*,*/*;q=0.8'

/** The pictures that a person chose to keep, by their path. */
export interface KeptPictures {
  has(path: string): Promise<boolean>
  /** Fetches and keeps; gives its bytes. Rejects with `NoPicture`, else for want of an answer or of space (`QuotaExceededError`). */
  add(path: string, signal: AbortSignal): Promise<number>
  remove(paths: readonly string[]): Promise<void>
}

export function createKeptPictures(): KeptPictures {
  const open = () => caches.open(KEPT_PICTURES)
  return {
    has: async (path) => (await (await open()).match(path, { ignoreVary: true })) !== undefined,
    async add(path, signal) {
      const response = await fetch(path, { signal, headers: { Accept: IMAGE_TYPES } })
      if (!response.ok) throw new NoPicture(`The picture was answered with ${response.status}.`)
      if (!response.headers.get('content-type')?.startsWith('image/')) throw new NoPicture('The answer is no picture.')
      const { size } = await response.clone().blob()
      await (await open()).put(path, response)
      return size
    },
    async remove(paths) {
      const cache = await open()
      for (const path of paths) await cache.delete(path, { ignoreVary: true })
    },
  }
}

/** The pictures that pages have shown; not those that were kept by choice. */
export const clearSeenPictures = async (): Promise<void> => {
  if (canKeepPictures()) await caches.delete(SEEN_PICTURES).catch(() => false)
}
