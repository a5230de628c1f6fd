/** The items of a drop or paste event, which must be read during the event. */
export type DroppedItems = readonly DroppedItem[]

interface DroppedItem {
  readonly file: File | null
  readonly entry: FileSystemEntry | null
  readonly handle: Promise<FileSystemHandle | null> | undefined
}

/** The method of the File System Access API, which TypeScript's DOM types lack. */
interface ItemWithHandle {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

export const takeDroppedItems = (dataTransfer: DataTransfer | null): DroppedItems =>
  [...(dataTransfer?.items ?? [])]
    .filter(({ kind }) => kind === 'file')
    .map((item: DataTransferItem & ItemWithHandle) => {
      // Marks the rejection as handled: the promise may never be awaited.
      const handle = item.getAsFileSystemHandle?.().catch(() => null)
      return { file: item.getAsFile(), entry: item.webkitGetAsEntry(), handle }
    })

export const hasDroppedFolder = (items: DroppedItems): boolean => items.some(({ entry }) => entry?.isDirectory)
