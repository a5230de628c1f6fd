import type { DroppedItems } from './dropped-items.ts'
import { ignoreCancellation } from './save-file.ts'

/** The File System Access API (https://wicg.github.io/file-system-access/), which TypeScript's DOM types lack. */
interface FolderPicker {
  showDirectoryPicker(options: { id: string; mode: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>
}

const getFolderPicker = (): FolderPicker | undefined =>
  'showDirectoryPicker' in globalThis ? (globalThis as unknown as FolderPicker) : undefined

/** Whether the browser lets a person choose a folder whose handle can be stored. */
export const supportsFolderPicker = (): boolean => getFolderPicker() !== undefined

/**
 * Lets a person choose a folder. Requires a user gesture. Returns undefined if the person cancels.
 * @param id the id under which the browser remembers the folder for the next picker
 */
export const chooseFolder = (id: string, mode: 'read' | 'readwrite'): Promise<FileSystemDirectoryHandle | undefined> =>
  ignoreCancellation(async () => getFolderPicker()?.showDirectoryPicker({ id, mode }))

/** A file in a chosen or dropped folder, or a dropped file. */
export interface FolderFile {
  readonly file: File
  /** The folders between the chosen folder and the file, joined by `/`. */
  readonly folderPath: string
  readonly handle?: FileSystemFileHandle
  /** The chosen folder, whose permission includes the file. */
  readonly root?: FileSystemDirectoryHandle
}

/** Reads the files of a folder and of the folders in it. Files that cannot be read are left out. */
export async function readFolder(root: FileSystemDirectoryHandle): Promise<readonly FolderFile[]> {
  const folderFiles: FolderFile[] = []
  async function collectFiles(folder: FileSystemDirectoryHandle, folderPath: string) {
    for await (const fileHandle of folder.values()) {
      if (fileHandle.kind === 'directory') await collectFiles(fileHandle, joinPath(folderPath, fileHandle.name)).catch(() => {})
      else
        await fileHandle.getFile().then(
          (file) => folderFiles.push({ file, folderPath, handle: fileHandle, root }),
          () => {},
        )
    }
  }
  await collectFiles(root, '')
  return folderFiles
}

/** Reads dropped files, and the files of dropped folders. */
export async function readDroppedItems(droppedItems: DroppedItems): Promise<readonly FolderFile[]> {
  const folderFiles = await Promise.all(
    droppedItems.map(async ({ file, entry, handle }): Promise<readonly FolderFile[]> => {
      const fileHandle = await handle
      if (fileHandle?.kind === 'directory' && isFolderHandle(fileHandle)) return readFolder(fileHandle)
      if (entry?.isDirectory) return readEntry(entry, '')
      return file === null ? [] : [{ file, folderPath: '' }]
    }),
  )
  return folderFiles.flat()
}

const isFolderHandle = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === 'directory'

/** Reads a dropped folder in browsers that provide no folder handles. */
async function readEntry(entry: FileSystemEntry, folderPath: string): Promise<readonly FolderFile[]> {
  if (isFileEntry(entry)) {
    const file = await new Promise<File | undefined>((resolve) => entry.file(resolve, () => resolve(undefined)))
    return file === undefined ? [] : [{ file, folderPath }]
  }
  if (!isFolderEntry(entry)) return []
  const reader = entry.createReader()
  const droppedFiles: FolderFile[] = []
  for (;;) {
    // Each call returns further entries; Chromium returns at most 100 of them.
    const entries = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (entries.length === 0) return droppedFiles
    for (const child of entries)
      droppedFiles.push(...(await readEntry(child, child.isDirectory ? joinPath(folderPath, child.name) : folderPath)))
  }
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const joinPath = (folderPath: string, name: string) => (folderPath === '' ? name : `${folderPath}/${name}`)
