import { writeFile } from '../write-file.ts'

/** A flat folder of files. A method rejects with a `DOMException` as the file system does. */
export interface ProjectFolder {
  listNames(): Promise<readonly string[]>
  read(name: string): Promise<Blob>
  /** Writes a file. After a crash the file may be missing or incomplete. */
  write(name: string, content: Blob | string): Promise<void>
  remove(name: string): Promise<void>
  /** Moves a file to another folder: in one step if the browser can, otherwise by a copy. */
  move(name: string, target: ProjectFolder, newName: string): Promise<void>
  /** The folder of the browser; absent in tests. */
  readonly directory?: FileSystemDirectoryHandle
}

/** `move` of the File System specification (https://fs.spec.whatwg.org/), which TypeScript's DOM types lack, as older browsers do. */
interface MovableHandle extends FileSystemFileHandle {
  move?(directory: FileSystemDirectoryHandle, name: string): Promise<void>
}

/** Opens a folder of the origin private file system. */
export async function openPrivateFolder(folderName: string): Promise<ProjectFolder> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true })
  return {
    async listNames() {
      const names: string[] = []
      for await (const name of folder.keys()) names.push(name)
      return names
    },
    read: async (name) => (await folder.getFileHandle(name)).getFile(),
    write: (name, content) => writeFile(folder, name, content),
    remove: (name) => folder.removeEntry(name),
    async move(fileName, targetFolder, newName) {
      const handle: MovableHandle = await folder.getFileHandle(fileName)
      if (handle.move && targetFolder.directory) return handle.move(targetFolder.directory, newName)
      await targetFolder.write(newName, await handle.getFile())
      await folder.removeEntry(fileName)
    },
    directory: folder,
  }
}
