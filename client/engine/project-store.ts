import { uniqueId } from '../primitives/unique-id.ts'
import { parseHistory } from './edit-history.ts'
import { type EditHistory, type LoopRange, type MakerSettings, PROJECT_FOLDER, type SoundFile } from './engine.ts'

export interface Project {
  readonly file: SoundFile
  /** Saved settings. Settings that did not exist when the project was saved are missing. */
  readonly settings: Partial<MakerSettings>
  readonly bpm: number | undefined
  /** The saved loop; `undefined` if none was set. */
  readonly loop: LoopRange | undefined
  /** The saved changes; `undefined` if none were saved. */
  readonly history?: EditHistory | undefined
}

/**
 * Saves the last project on this device: the file's bytes, unchanged, and the settings. All tabs share one project; the last save wins.
 * Only the account that saved the project can load it. No method rejects, because the maker works without storage too.
 */
export interface ProjectStore {
  /** Replaces the saved project. Returns false if storage is full or unavailable; then no project is saved. */
  save(file: SoundFile, settings: MakerSettings): Promise<boolean>
  /** Saves the settings after a delay, unless another tab has replaced the project. */
  saveSettings(settings: MakerSettings): void
  saveBpm(bpm: number): void
  saveLoop(loop: LoopRange): void
  saveHistory(history: EditHistory): void
  /** Saves pending changes now. */
  flush(): Promise<void>
  /** Reads the saved project; `undefined` if there is none or its file is incomplete. */
  load(): Promise<Project | undefined>
  /** Deletes the project, unless another tab has replaced it. */
  clear(): Promise<void>
  usedBytes(): Promise<number>
}

/** Content of `project.json`. */
interface ProjectIndex {
  readonly owner: string
  /** The name of the audio file in the same folder. The audio file is written completely before the index refers to it. */
  readonly source: string
  readonly sourceBytes: number
  readonly name: string
  readonly type: string
  readonly settings: Partial<MakerSettings>
  readonly bpm?: number
  readonly loop?: LoopRange
  readonly history?: EditHistory | undefined
}

const INDEX_NAME = 'project.json'
const LOCK_NAME = 'maker-project'
const SAVE_DELAY_MS = 300

const SETTING_NAMES = ['speed', 'pitch', 'reverbSize', 'reverbAmount', 'bassDb'] as const

/** Creates the store of the maker's last project. @param ownerId id of the account that the project belongs to */
export function createProjectStore(ownerId = ''): ProjectStore {
  /** The name of the saved file that this tab has saved or loaded. */
  let currentFileName: string | undefined
  let pendingChanges: Pick<ProjectIndex, 'bpm' | 'loop' | 'history'> & { settings?: MakerSettings } = {}
  let timer: ReturnType<typeof setTimeout> | undefined

  async function saveProject(folder: FileSystemDirectoryHandle, file: SoundFile, settings: MakerSettings) {
    const savedFileName = uniqueId()
    await writeFile(folder, savedFileName, file.blob)
    const index: ProjectIndex = {
      owner: ownerId,
      source: savedFileName,
      sourceBytes: file.blob.size,
      name: file.name,
      type: file.blob.type,
      settings,
    }
    await writeFile(folder, INDEX_NAME, JSON.stringify(index))
    currentFileName = savedFileName
    await removeExcept(folder, [savedFileName, INDEX_NAME])
  }

  function saveLater(patch: typeof pendingChanges) {
    pendingChanges = { ...pendingChanges, ...patch }
    timer ??= setTimeout(saveChanges, SAVE_DELAY_MS)
  }

  function dropPending() {
    clearTimeout(timer)
    timer = undefined
    pendingChanges = {}
  }

  async function saveChanges() {
    clearTimeout(timer)
    timer = undefined
    await inFolder(async (folder) => {
      const patch = pendingChanges
      pendingChanges = {}
      const index = await readIndex(folder)
      if (Object.keys(patch).length === 0 || index === undefined || index.source !== currentFileName) return
      await writeFile(folder, INDEX_NAME, JSON.stringify({ ...index, ...patch } satisfies ProjectIndex))
    })
  }

  return {
    async save(file, settings) {
      dropPending()
      currentFileName = undefined
      const isSaved = await inFolder(async (folder) => {
        await saveProject(folder, file, settings).catch(async () => {
          // If there is too little storage, removing the previous project may free enough.
          await removeExcept(folder, [])
          await saveProject(folder, file, settings)
        })
        return true
      })
      if (isSaved !== true) await inFolder((folder) => removeExcept(folder, []))
      return isSaved ?? false
    },
    saveSettings: (settings) => saveLater({ settings }),
    saveBpm: (bpm) => saveLater({ bpm }),
    saveLoop: (loop) => saveLater({ loop }),
    saveHistory: (history) => saveLater({ history }),
    flush: saveChanges,
    load: () =>
      inFolder(async (folder) => {
        const index = await readIndex(folder)
        if (index?.owner !== ownerId) return undefined
        const file = await (await folder.getFileHandle(index.source)).getFile()
        if (file.size !== index.sourceBytes) return undefined
        currentFileName = index.source
        return {
          file: { name: index.name, blob: file.slice(0, file.size, index.type) },
          settings: index.settings,
          bpm: index.bpm,
          loop: index.loop,
          history: index.history,
        }
      }),
    async clear() {
      dropPending()
      await inFolder(async (folder) => {
        const index = await readIndex(folder).catch(() => undefined)
        if (index === undefined || index.source === currentFileName) await removeExcept(folder, [])
        currentFileName = undefined
      })
    },
    usedBytes: async () =>
      (await inFolder(async (folder) => {
        let bytes = 0
        for await (const handle of folder.values()) if (handle.kind === 'file') bytes += (await handle.getFile()).size
        return bytes
      })) ?? 0,
  }
}

/**
 * Runs `useFolder` on the project's folder, while it holds a lock that excludes all other tabs. Resolves with undefined if `useFolder`
 * fails.
 */
async function inFolder<T>(useFolder: (folder: FileSystemDirectoryHandle) => Promise<T>): Promise<T | undefined> {
  try {
    return await navigator.locks.request(LOCK_NAME, async () =>
      useFolder(await (await navigator.storage.getDirectory()).getDirectoryHandle(PROJECT_FOLDER, { create: true })),
    )
  } catch {
    return undefined
  }
}

/** Writes a file atomically: the content replaces the file when the stream is closed. */
async function writeFile(folder: FileSystemDirectoryHandle, name: string, content: Blob | string) {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
  try {
    await stream.write(content)
    await stream.close()
  } catch (error) {
    await stream.abort().catch(() => {})
    throw error
  }
}

/** Removes all files except those with the given names. The index is removed first, so that it never refers to a missing file. */
async function removeExcept(folder: FileSystemDirectoryHandle, keepNames: readonly string[]) {
  const names: string[] = []
  for await (const name of folder.keys()) if (!keepNames.includes(name)) names.push(name)
  for (const name of names.sort((a, b) => Number(b === INDEX_NAME) - Number(a === INDEX_NAME)))
    await folder.removeEntry(name).catch(() => {})
}

/** Reads the index; undefined if its content is not valid. */
async function readIndex(folder: FileSystemDirectoryHandle): Promise<ProjectIndex | undefined> {
  const text = await (await (await folder.getFileHandle(INDEX_NAME)).getFile()).text()
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { owner, source, sourceBytes, name, type, settings, bpm, loop, history } = parsed as Partial<Record<keyof ProjectIndex, unknown>>
  if (typeof owner !== 'string' || typeof source !== 'string' || typeof sourceBytes !== 'number' || typeof name !== 'string')
    return undefined
  return {
    owner,
    source,
    sourceBytes,
    name,
    type: typeof type === 'string' ? type : '',
    settings: parseSettings(settings),
    ...(typeof bpm === 'number' && { bpm }),
    ...(isLoop(loop) && { loop }),
    history: parseHistory(history),
  }
}

function isLoop(value: unknown): value is LoopRange {
  if (typeof value !== 'object' || value === null) return false
  const { on, startS, endS } = value as Partial<Record<keyof LoopRange, unknown>>
  return typeof on === 'boolean' && typeof startS === 'number' && typeof endS === 'number'
}

function parseSettings(value: unknown): Partial<MakerSettings> {
  if (typeof value !== 'object' || value === null) return {}
  const values = value as Partial<Record<keyof MakerSettings, unknown>>
  return Object.fromEntries(SETTING_NAMES.flatMap((name) => (typeof values[name] === 'number' ? [[name, values[name]]] : [])))
}
