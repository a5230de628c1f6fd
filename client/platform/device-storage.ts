import { KEPT_PICTURES, SEEN_PICTURES } from '../../contract/caches.ts'

/** What this browser can keep, and how much of it is used; a member is absent where the browser does not tell. */
export interface DeviceSpace {
  usedBytes?: number
  availableBytes?: number
  /** Whether the browser promised not to clear it by itself. */
  persisted?: boolean
}

export async function readSpace(): Promise<DeviceSpace> {
  // Absent outside secure contexts, whatever the types say.
  const manager: StorageManager | undefined = navigator.storage
  const [estimate, persisted] = await Promise.all([
    manager?.estimate?.().catch(() => undefined),
    manager?.persisted?.().catch(() => undefined),
  ])
  const { usage, quota } = estimate ?? {}
  return {
    ...(usage !== undefined && { usedBytes: usage }),
    ...(quota !== undefined && { availableBytes: Math.max(0, quota - (usage ?? 0)) }),
    ...(persisted !== undefined && { persisted }),
  }
}

/** Asks the browser to keep what is stored even when space is short. Gives whether it will. */
export async function askToPersist(): Promise<boolean> {
  const manager: StorageManager | undefined = navigator.storage
  return (await manager?.persist?.().catch(() => false)) ?? false
}

export const canKeepPictures = (): boolean => 'caches' in globalThis
export const canStartOffline = (): boolean => 'serviceWorker' in navigator

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

/** None where the browser does not let the site look. */
export async function countSeenPictures(): Promise<number> {
  try {
    return canKeepPictures() && (await caches.has(SEEN_PICTURES)) ? (await (await caches.open(SEEN_PICTURES)).keys()).length : 0
  } catch {
    return 0
  }
}

/** Bytes of the files in a folder of the origin's private ones; 0 where there is none. */
export async function readFolderBytes(name: string): Promise<number> {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(name)
    let bytes = 0
    for await (const handle of folder.values()) if (handle.kind === 'file') bytes += (await (handle as FileSystemFileHandle).getFile()).size
    return bytes
  } catch {
    return 0
  }
}

/** Removes such a folder with all that is in it, unless it is in use. */
export async function removeFolder(name: string): Promise<void> {
  try {
    await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true })
  } catch {
    // There is none, or a tab writes to it now.
  }
}
