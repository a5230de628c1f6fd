import { SHOWN_PICTURES_CACHE } from '../../../contract/caches.ts'
import { hasCacheStorage } from '../../platform/device-storage.ts'

/** The origin's storage. A member is absent if the browser does not provide its value. */
export interface DeviceSpace {
  usedBytes?: number
  availableBytes?: number
  /** Whether the storage is persistent, so that the browser does not evict it. */
  persisted?: boolean
}

export async function readDeviceSpace(): Promise<DeviceSpace> {
  // `storage` is absent in insecure contexts, although its type does not say so.
  const manager: StorageManager | undefined = navigator.storage
  const [storageEstimate, isPersisted] = await Promise.all([
    manager?.estimate?.().catch(() => undefined),
    manager?.persisted?.().catch(() => undefined),
  ])
  const { usage: usedBytes, quota: quotaBytes } = storageEstimate ?? {}
  return {
    ...(usedBytes !== undefined && { usedBytes }),
    ...(quotaBytes !== undefined && { availableBytes: Math.max(0, quotaBytes - (usedBytes ?? 0)) }),
    ...(isPersisted !== undefined && { persisted: isPersisted }),
  }
}

export const canStartOffline = (): boolean => 'serviceWorker' in navigator

/** Returns the number of pictures in the cache of shown pictures; 0 if the browser denies access. */
export async function countCachedPictures(): Promise<number> {
  try {
    return hasCacheStorage() && (await caches.has(SHOWN_PICTURES_CACHE))
      ? (await (await caches.open(SHOWN_PICTURES_CACHE)).keys()).length
      : 0
  } catch {
    return 0
  }
}

async function sumFileBytes(folder: FileSystemDirectoryHandle): Promise<number> {
  let folderBytes = 0
  for await (const handle of folder.values()) {
    if (handle instanceof FileSystemFileHandle) folderBytes += (await handle.getFile()).size
    else if (handle instanceof FileSystemDirectoryHandle) folderBytes += await sumFileBytes(handle)
  }
  return folderBytes
}

/** Returns the size in bytes of all files in a directory of the origin private file system and below it; 0 if the directory does not exist. */
export async function readFolderBytes(folderName: string): Promise<number> {
  try {
    return await sumFileBytes(await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName))
  } catch {
    return 0
  }
}

/** Removes a directory of the origin private file system with its content, unless a file is in use. */
export async function removeFolder(folderName: string): Promise<void> {
  try {
    await (await navigator.storage.getDirectory()).removeEntry(folderName, { recursive: true })
  } catch {
    // Removing fails if the directory does not exist or a tab writes to it.
  }
}
