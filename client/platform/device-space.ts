import { SEEN_PICTURES } from '../../contract/caches.ts'
import { canKeepPictures } from './device-storage.ts'

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

export const canStartOffline = (): boolean => 'serviceWorker' in navigator

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
