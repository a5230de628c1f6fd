/** Only dedicated workers have these, so the page's own declarations leave them out. */
interface FileSystemFileHandle {
  createSyncAccessHandle?(): Promise<FileSystemSyncAccessHandle>
}

interface FileSystemSyncAccessHandle {
  /** Gives how many bytes were written, which may be fewer than were asked for. */
  write(buffer: ArrayBufferView<ArrayBuffer>, options?: { at?: number }): number
  getSize(): number
  flush(): void
  close(): void
}
